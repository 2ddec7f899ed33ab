-- A search takes as long in an account of a million intents as in one of ten thousand. Trigrams did not: three digits in a
-- row occur in one reference of a hundred, and with the account as a column of its own the index read the whole account
-- for every search.
--
-- So what can be searched is known by its windows: every four characters in a row, hashed together with the account into
-- one of 262,144 numbers. An entry of the index holds one account's window (and, by chance, a few others', which the text
-- itself sorts out), and a few windows of a term together name hardly more than what is looked for. There are only ten
-- thousand windows of four digits, so where digits stand in a row eight characters are a window too.

-- The number of a window. It may never change: the table holds it.
create function search_window(account uuid, characters text) returns int4
  language sql immutable strict parallel safe as $$
  select (hashtextextended(characters, uuid_hash_extended(account, 0)) & 262143)::int4 $$;

-- The numbers of all windows, within fields that U+001F divides. Eight at a time: a step of the loop costs more than what
-- is done in it.
create function search_windows(account uuid, searched text) returns int4[]
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
        search_window(account, substr(field, n, 4)),
        search_window(account, substr(field, n + 1, 4)),
        search_window(account, substr(field, n + 2, 4)),
        search_window(account, substr(field, n + 3, 4)),
        search_window(account, substr(field, n + 4, 4)),
        search_window(account, substr(field, n + 5, 4)),
        search_window(account, substr(field, n + 6, 4)),
        search_window(account, substr(field, n + 7, 4))])[:last - n + 1];
    end loop;
    continue when field !~ '[0-9]{8}';
    last := length(field) - 7;
    for n in 1 .. last by 8 loop
      windows := windows || (array[
        search_window(account, substr(field, n, 8)),
        search_window(account, substr(field, n + 1, 8)),
        search_window(account, substr(field, n + 2, 8)),
        search_window(account, substr(field, n + 3, 8)),
        search_window(account, substr(field, n + 4, 8)),
        search_window(account, substr(field, n + 5, 8)),
        search_window(account, substr(field, n + 6, 8)),
        search_window(account, substr(field, n + 7, 8))])[:last - n + 1];
    end loop;
  end loop;
  return windows;
end $$;

-- Written when the intent is made and when its reference changes; other changes carry it along. The planner has to know
-- the windows that occur everywhere, and no more: knowing a thousand made planning the slowest part of a search.
drop index intents_search;
alter table intents add column search_windows int4[]
  generated always as (search_windows(account_id, search_order || U&'\001F' || search_reference)) stored;
alter table intents alter column search_windows set statistics 10;

-- The list of not yet indexed entries is kept short: every search reads it whole.
create index intents_search on intents using gin (search_windows)
  with (fastupdate = on, gin_pending_list_limit = 512);
analyze intents;
