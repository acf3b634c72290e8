//! Names of keys and of their one-time secrets.
