-- A search takes as long in an account of a million intents as in one of ten thousand. Trigrams did not: three digits in a
-- row occur in one reference of a hundred, and with the account as a column of its own the index read the whole account
-- for every search.
--
-- So what can be searched is known by its windows: every four characters in a row, hashed together with the account into
-- one of 65,536 numbers. An entry of the index holds one account's window (and, by chance, a few others', which the text
-- itself sorts out), and a few windows of a term together name hardly more than what is looked for.

-- The numbers of every four characters in a row, within fields that U+001F divides. Eight at a time: a step of the loop
-- costs more than what is done in it. What they are may never change: the table holds them.
create function windows_of(account uuid, searched text) returns int2[]
  language plpgsql immutable strict parallel safe as $$
declare
  seed    int8 := uuid_hash_extended(account, 0);
  windows int2[] := '{}';
  field   text;
  last    int4;
begin
  foreach field in array string_to_array(searched, U&'\001F') loop
    last := length(field) - 3;
    for n in 1 .. last by 8 loop
      windows := windows || (array[
        (hashtextextended(substr(field, n, 4), seed) & 65535) - 32768,
        (hashtextextended(substr(field, n + 1, 4), seed) & 65535) - 32768,
        (hashtextextended(substr(field, n + 2, 4), seed) & 65535) - 32768,
        (hashtextextended(substr(field, n + 3, 4), seed) & 65535) - 32768,
        (hashtextextended(substr(field, n + 4, 4), seed) & 65535) - 32768,
        (hashtextextended(substr(field, n + 5, 4), seed) & 65535) - 32768,
        (hashtextextended(substr(field, n + 6, 4), seed) & 65535) - 32768,
        (hashtextextended(substr(field, n + 7, 4), seed) & 65535) - 32768])[:last - n + 1]::int2[];
    end loop;
  end loop;
  return windows;
end $$;

-- Written when the intent is made and when its reference changes; other changes carry it along. The planner has to know
-- the windows that occur everywhere, and no more: knowing a thousand made planning the slowest part of a search.
drop index intents_search;
alter table intents add column search_windows int2[]
  generated always as (windows_of(account_id, search_order || U&'\001F' || search_reference)) stored;
alter table intents alter column search_windows set statistics 10;

-- The list of not yet indexed entries is kept short: every search reads it whole.
create index intents_search on intents using gin (search_windows)
  with (fastupdate = on, gin_pending_list_limit = 512);
analyze intents;
