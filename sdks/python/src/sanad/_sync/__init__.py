"""The client for programs without async. Written from `_async` by `npm run dumps`: do not edit."""
