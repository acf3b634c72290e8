"""Writes the Parquet files of this folder: pip install pyarrow polars duckdb cryptography."""

import duckdb
import polars
import pyarrow
import pyarrow.parquet
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

keys = [Ed25519PrivateKey.from_private_bytes(bytes([seed] * 32)) for seed in (1, 2)]
rows = []
for number in range(50):
    key = keys[number % 2]
    message = f"row {number}".encode()
    rows.append(
        {
            "scheme": "ed25519",
            "public_key": key.public_key().public_bytes_raw(),
            "epoch": None if number % 3 else number,
            "message": b"another" if number == 16 else message,
            "signature": None if number == 32 else key.sign(message),
        }
    )


def text(value):
    return value.hex() if isinstance(value, bytes) else value


texts = [{name: text(value) for name, value in row.items()} for row in rows]

binary = pyarrow.schema(
    [
        ("scheme", pyarrow.dictionary(pyarrow.int32(), pyarrow.string())),
        ("public_key", pyarrow.binary(32)),
        ("epoch", pyarrow.uint32()),
        ("message", pyarrow.binary()),
        ("signature", pyarrow.binary()),
    ]
)
table = pyarrow.Table.from_pylist(rows, schema=binary)
pyarrow.parquet.write_table(table, "pyarrow.parquet")
pyarrow.parquet.write_table(
    table, "pyarrow-zstd-v2.parquet", compression="zstd", data_page_version="2.0", data_page_size=256, row_group_size=40
)
frame = polars.DataFrame(texts, schema_overrides={"epoch": polars.UInt64})
frame.write_parquet("polars.parquet")
arrow = pyarrow.Table.from_pylist(texts)
duckdb.sql("COPY arrow TO 'duckdb.parquet' (FORMAT parquet)")
duckdb.sql("COPY arrow TO 'duckdb-zstd.parquet' (FORMAT parquet, COMPRESSION zstd)")
