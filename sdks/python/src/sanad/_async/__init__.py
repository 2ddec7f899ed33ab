"""The client for async programs. `_sync` is written from this folder by `npm run dumps`."""
