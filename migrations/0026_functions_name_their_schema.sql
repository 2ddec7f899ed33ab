-- A dump could not be restored: pg_restore and psql run with an empty search_path, and search_windows, which fills a column
-- of every intent, called search_window without its schema ("function search_window(uuid, text) does not exist"). The call
-- now names it. A SET search_path on the function would do as well, but costs time for every intent that is made. The
-- numbers stay the same, so nothing is written anew.
create or replace function search_windows(account uuid, searched text) returns int4[]
  language plpgsql immutable strict parallel safe as $$
declare
  windows int4[] := '{}';
  field   text;
  last    int4;
begin
  foreach field in array string_to_array(searched, U&'\001F') loop
    last := length(field) - 3;
    for n in 1 .. last by 8 loop
      windows := windows || (array[
        public.search_window(account, substr(field, n, 4)),
        public.search_window(account, substr(field, n + 1, 4)),
        public.search_window(account, substr(field, n + 2, 4)),
        public.search_window(account, substr(field, n + 3, 4)),
        public.search_window(account, substr(field, n + 4, 4)),
        public.search_window(account, substr(field, n + 5, 4)),
        public.search_window(account, substr(field, n + 6, 4)),
        public.search_window(account, substr(field, n + 7, 4))])[:last - n + 1];
    end loop;
    continue when field !~ '[0-9]{8}';
    last := length(field) - 7;
    for n in 1 .. last by 8 loop
      windows := windows || (array[
        public.search_window(account, substr(field, n, 8)),
        public.search_window(account, substr(field, n + 1, 8)),
        public.search_window(account, substr(field, n + 2, 8)),
        public.search_window(account, substr(field, n + 3, 8)),
        public.search_window(account, substr(field, n + 4, 8)),
        public.search_window(account, substr(field, n + 5, 8)),
        public.search_window(account, substr(field, n + 6, 8)),
        public.search_window(account, substr(field, n + 7, 8))])[:last - n + 1];
    end loop;
  end loop;
  return windows;
end $$;
