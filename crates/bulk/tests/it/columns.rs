//! Parquet files, written by the crate `parquet`.

use crate::rows::{NAMES, Row};
use parquet::basic::Compression;
use parquet::data_type::{
    ByteArray, ByteArrayType, FixedLenByteArray, FixedLenByteArrayType, Int32Type, Int64Type,
};
use parquet::file::properties::{WriterProperties, WriterVersion};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;

/// How a file is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Style {
    /// Bytes, and not digits; keys of Ed25519 and their signatures with a fixed length.
    pub(crate) binary: bool,
    pub(crate) fixed: bool,
    pub(crate) snappy: bool,
    pub(crate) v2: bool,
    pub(crate) dictionary: bool,
    /// Epochs of 32 bits without a sign.
    pub(crate) narrow: bool,
    pub(crate) group_rows: usize,
    pub(crate) page_rows: usize,
}

pub(crate) const PLAIN: Style = Style {
    binary: false,
    fixed: false,
    snappy: false,
    v2: false,
    dictionary: true,
    narrow: false,
    group_rows: 1 << 20,
    page_rows: 1 << 20,
};

/// The rows as a Parquet file.
pub(crate) fn parquet(rows: &[Row], style: Style) -> Vec<u8> {
    let bytes = if style.binary { "" } else { "(UTF8)" };
    let [key, signature] = [32, 64].map(|len| match style.fixed {
        true => format!("required FIXED_LEN_BYTE_ARRAY({len})"),
        false => "optional BYTE_ARRAY".to_owned(),
    });
    let epoch = if style.narrow { "INT32 epoch (UINT_32)" } else { "INT64 epoch" };
    // Columns that nobody asks for, in other places and nested, are passed over.
    let schema = format!(
        "message rows {{ required group other {{ optional INT32 signature; required BYTE_ARRAY scheme; }}
         optional BYTE_ARRAY scheme (UTF8); {key} public_key {bytes}; optional {epoch};
         optional BYTE_ARRAY message {bytes}; required INT32 more; {signature} signature {bytes};
         optional BYTE_ARRAY profile (UTF8); }}"
    );
    let schema = Arc::new(parse_message_type(&schema).expect("a schema"));
    let properties = WriterProperties::builder()
        .set_compression(if style.snappy { Compression::SNAPPY } else { Compression::UNCOMPRESSED })
        .set_writer_version(if style.v2 { WriterVersion::PARQUET_2_0 } else { WriterVersion::PARQUET_1_0 })
        .set_dictionary_enabled(style.dictionary)
        .set_data_page_row_count_limit(style.page_rows)
        .set_write_batch_size(style.page_rows.min(64));
    // The second version would choose others.
    let properties = properties.set_encoding(parquet::basic::Encoding::PLAIN).build();
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).expect("a writer");
    for group in rows.chunks(style.group_rows) {
        write_group(&mut writer, group, style);
    }
    writer.into_inner().expect("it is written")
}

fn write_group(writer: &mut SerializedFileWriter<Vec<u8>>, rows: &[Row], style: Style) {
    let mut group = writer.next_row_group().expect("a group");
    let column = |name: &str| {
        let at = NAMES.iter().position(|known| *known == name).expect("a column");
        let values: Vec<Option<String>> = rows.iter().map(|row| row.values()[at].clone()).collect();
        values
    };
    for name in ["", "", "scheme", "public_key", "epoch", "message", "more", "signature", "profile"] {
        let mut writer = group.next_column().expect("a column").expect("one more");
        let values = if name.is_empty() || name == "more" { Vec::new() } else { column(name) };
        let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
        let text = values.iter().flatten();
        let as_bytes = |text: &String| match style.binary && name != "scheme" && name != "profile" {
            true => hex::decode(text).expect("digits"),
            false => text.clone().into_bytes(),
        };
        let written = match name {
            "" if writer.typed_is_bytes() => {
                let values = vec![ByteArray::from("x"); rows.len()];
                writer.typed::<ByteArrayType>().write_batch(&values, None, None)
            }
            "" => writer.typed::<Int32Type>().write_batch(&[], Some(&vec![0; rows.len()]), None),
            "more" => writer.typed::<Int32Type>().write_batch(&vec![5; rows.len()], None, None),
            "epoch" if style.narrow => {
                let values: Vec<i32> =
                    text.map(|text| text.parse::<u32>().unwrap_or(u32::MAX).cast_signed()).collect();
                writer.typed::<Int32Type>().write_batch(&values, Some(&levels), None)
            }
            "epoch" => {
                let values: Vec<i64> = text.map(|text| text.parse().expect("a number")).collect();
                writer.typed::<Int64Type>().write_batch(&values, Some(&levels), None)
            }
            "public_key" | "signature" if style.fixed => {
                let fixed = |text| FixedLenByteArray::from(as_bytes(text));
                let values: Vec<FixedLenByteArray> = text.map(fixed).collect();
                writer.typed::<FixedLenByteArrayType>().write_batch(&values, None, None)
            }
            _ => {
                let values: Vec<ByteArray> = text.map(|text| ByteArray::from(as_bytes(text))).collect();
                writer.typed::<ByteArrayType>().write_batch(&values, Some(&levels), None)
            }
        };
        written.expect("values are written");
        writer.close().expect("the column ends");
    }
    group.close().expect("the group ends");
}

/// Whether a column is of bytes.
trait TypedIsBytes {
    fn typed_is_bytes(&mut self) -> bool;
}

impl TypedIsBytes for parquet::file::writer::SerializedColumnWriter<'_> {
    fn typed_is_bytes(&mut self) -> bool {
        matches!(self.untyped(), parquet::column::writer::ColumnWriter::ByteArrayColumnWriter(_))
    }
}
