-- Recovery codes are stored as a keyed hash. The comment of the column named the earlier form.

comment on column users.recovery is
  'Keyed hashes (HMAC-SHA-256) of the recovery codes that are left; each code works once instead of a second factor.';
