-- The planner is not to know that intents was empty once. Of a table that was analysed while nothing was in it, it believes
-- that there is one row, and keeps plans that read it whole until it has grown and is analysed again; of a table that it
-- knows nothing about it takes care. Writing the table anew makes it forget: nothing to do where there are rows.
do $$
begin
  if not exists (select from intents) then
    alter table intents alter column notes type text using notes || '';
  end if;
end $$;
