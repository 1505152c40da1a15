"""Lambdawall from Python: write and read stores, control a wall, and read measurements (docs/python.md)."""

from .xxh3 import checksum, checksums
from .control import Control, connect
from .errors import (
    CallFailed,
    CertificateRefused,
    ConnectionLost,
    Forbidden,
    InvalidInput,
    InvalidStore,
    LambdawallError,
    Refused,
    StoreBusy,
    StoreExists,
    TokenRefused,
    TooManyFailures,
    UnknownCertificate,
)
from .measured import figures
from .manifest import Manifest
from .pixels import PIXEL_FORMATS, PixelFormat, YCbCr, rgb_from_ycbcr, ycbcr_from_rgb
from .results import Result, Results, load_report, load_result, load_results
from .session import Entry, Session
from .store import Damage, Store, StoreWriter, frames_of_shard
from .tables import Table
from .trace import Trace, frame_records, load_trace
from .wall import Geometry, Wall

__all__ = [
    "PIXEL_FORMATS",
    "CallFailed",
    "CertificateRefused",
    "ConnectionLost",
    "Control",
    "Damage",
    "Entry",
    "Forbidden",
    "Geometry",
    "InvalidInput",
    "InvalidStore",
    "LambdawallError",
    "Manifest",
    "PixelFormat",
    "Refused",
    "Result",
    "Results",
    "Session",
    "Store",
    "StoreBusy",
    "StoreExists",
    "StoreWriter",
    "Table",
    "TokenRefused",
    "TooManyFailures",
    "Trace",
    "UnknownCertificate",
    "Wall",
    "YCbCr",
    "checksum",
    "checksums",
    "connect",
    "figures",
    "frame_records",
    "frames_of_shard",
    "load_report",
    "load_result",
    "load_results",
    "load_trace",
    "rgb_from_ycbcr",
    "ycbcr_from_rgb",
]
