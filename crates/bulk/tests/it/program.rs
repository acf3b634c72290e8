//! The program: its exit codes, and what it says.

use crate::columns::{PLAIN, Style, parquet};
use crate::rows::{ed25519, jsonl, xmss};
use crate::{Folder, exits};

#[test]
fn exit_codes() {
    let folder = Folder::new();
    let mut rows = [ed25519(5), xmss()].concat();
    folder.write("good.jsonl", jsonl(&rows));
    exits(&folder, "good.jsonl --out good", 0);
    rows[3].message = Some("ff".into());
    folder.write("invalid.jsonl", jsonl(&rows));
    let said = exits(&folder, "invalid.jsonl --out invalid", 1);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.starts_with("invalid.jsonl:4: invalid: signature does not verify"), "{said}");
    assert!(said.contains("total 13, valid 12, invalid 1, malformed 0\nroot "), "{said}");
    rows[4].scheme = Some("xmss".into());
    folder.write("malformed.jsonl", jsonl(&rows));
    let said = exits(&folder, "malformed.jsonl --out malformed", 2);
    let said = String::from_utf8_lossy(&said.stderr).into_owned();
    assert_eq!(said, "phalanx-verify-many: error: 1 of 13 rows are malformed\n");
    exits(&folder, "nowhere.jsonl --out nowhere", 4);
    exits(&folder, ". --out nowhere", 2);
    exits(&folder, "good.jsonl", 2);
    exits(&folder, "--out nowhere", 2);
    exits(&folder, "good.jsonl --out nowhere --profile lenient", 2);
    exits(&folder, "good.jsonl --out nowhere --scheme lenient", 2);
    assert!(!folder.path("nowhere").exists());
    assert!(exits(&folder, "--help", 0).stdout.starts_with(b"Verify signatures in files"));
}

#[test]
fn nothing_to_verify() {
    let folder = Folder::new();
    folder.write("a.jsonl", "");
    folder.write("b.csv", "");
    folder.write("c.parquet", "");
    folder.write("d.csv", "scheme,public_key,epoch,message,signature\n\n");
    folder.write("e.parquet", parquet(&[], PLAIN));
    for file in ["a.jsonl", "b.csv", "c.parquet", "d.csv", "e.parquet"] {
        let said = exits(&folder, &format!("{file} --out out-{file}"), 2);
        let said = String::from_utf8_lossy(&said.stderr).into_owned();
        let can_be_read = file != "c.parquet";
        assert_eq!(said.contains("there are no signatures"), can_be_read, "{file}: {said}");
        assert_eq!(said.contains("1 files cannot be read"), !can_be_read, "{file}: {said}");
        // SHA-256 of nothing.
        let root = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert!(folder.text(&format!("out-{file}/report.json")).contains(root));
    }
}

/// A scheme that the command names is that of rows which name none, and of no others.
#[test]
fn a_scheme_for_all() {
    let folder = Folder::new();
    let mut rows = ed25519(4);
    rows.iter_mut().for_each(|row| row.scheme = None);
    folder.write("a.jsonl", jsonl(&rows));
    exits(&folder, "a.jsonl --out without", 2);
    exits(&folder, "a.jsonl --out with --scheme ed25519", 0);
    let csv: String = crate::rows::csv(&rows)
        .lines()
        .map(|line| line.split_once(',').expect("one").1.to_owned() + "\n")
        .collect();
    folder.write("b.csv", csv);
    let said = exits(&folder, "b.csv --out b-without", 2);
    assert!(
        String::from_utf8_lossy(&said.stdout).contains("b.csv: cannot be read: no column is called scheme")
    );
    exits(&folder, "b.csv --out b-with --scheme ed25519", 0);
}

/// The page: text from outside is text, there is nothing to load, and both schemes of colours.
#[test]
fn the_page() {
    let folder = Folder::new();
    let mut rows = ed25519(2);
    rows[0].signature = Some("00".into());
    folder.write("<b>&.jsonl", jsonl(&rows));
    exits(&folder, "<b>&.jsonl --out out", 1);
    let page = folder.text("out/report.html");
    assert!(page.contains("<td>&lt;b&gt;&amp;.jsonl<br>") && !page.contains("<b>"));
    assert!(page.contains("1 of 2 signatures verify, 1 do not.") && page.contains("color-scheme:light dark"));
    for loads in ["<script", "src=", "href=", "url(", "@import"] {
        assert!(!page.contains(loads), "{loads}");
    }
}

/// Several files keep their order, and one that cannot be read stops no other.
#[test]
fn a_file_that_cannot_be_read_stops_no_other() {
    let folder = Folder::new();
    folder.write("a.jsonl", jsonl(&ed25519(2)));
    let whole = parquet(&ed25519(50), PLAIN);
    folder.write("b.parquet", &whole[..whole.len() - 9]);
    folder.write("c.parquet", &whole);
    let said = exits(&folder, "a.jsonl b.parquet c.parquet --out out --threads 3", 2);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(said.contains("b.parquet: cannot be read: it does not end as a Parquet file does"), "{said}");
    assert!(said.contains("total 52, valid 52, invalid 0, malformed 0"), "{said}");
}

/// A small file whose page is large: it is read only where there is memory for it, and its long value is one bad row.
#[test]
fn a_page_larger_than_memory() {
    let folder = Folder::new();
    let mut rows = ed25519(3);
    rows[1].message = Some("00".repeat(9 << 20));
    let style = Style { snappy: true, dictionary: false, page_rows: 1, ..PLAIN };
    let file = parquet(&rows, style);
    assert!(file.len() < 2 << 20);
    folder.write("a.parquet", file);
    let said = exits(&folder, "a.parquet --out small --memory 40", 2);
    let said = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(
        said.contains("a.parquet: cannot be read: pages need 5") && said.contains("at most 40 are allowed"),
        "{said}"
    );
    exits(&folder, "a.parquet --out large", 2);
    assert_eq!(folder.read("large/verdicts.bin"), [0, 2, 0]);
}
