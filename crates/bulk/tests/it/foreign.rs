//! Files as other programs write them with their own settings: tests/data/README.md says which.

use crate::{Folder, exits};

#[test]
fn files_of_other_programs() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let folder = Folder::new();
    let mut files = 0;
    for file in std::fs::read_dir(data).expect("the folder is there") {
        let path = file.expect("a file").path();
        if path.extension().is_none_or(|name| name != "parquet") {
            continue;
        }
        let name = path.file_stem().expect("a name").to_str().expect("UTF-8").to_owned();
        exits(&folder, &format!("{} --out {name} --chunk-rows 30", path.display()), 2);
        // Of 50 rows, number 17 has another message and number 33 no signature.
        let mut wanted = vec![0; 50];
        (wanted[16], wanted[32]) = (1, 7);
        assert_eq!(folder.read(&format!("{name}/verdicts.bin")), wanted, "{name}");
        files += 1;
    }
    assert_eq!(files, 5);
}
