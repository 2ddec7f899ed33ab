-- The statement that writes intents with unique amounts fails if another intent still holds one of them. It did so by casting a
-- sentence to uuid; now the error says what happened and has a code of its own.
create function all_amounts_given(given bigint, asked bigint) returns boolean language plpgsql as $$
begin
  if given <> asked then
    raise exception 'another intent holds a unique amount: % of % were given', given, asked using errcode = 'SN001';
  end if;
  return true;
end $$;

comment on function all_amounts_given is
  'True, or error SN001: an amount of a real wallet that a new intent should ask for is held by another intent.';
