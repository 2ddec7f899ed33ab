-- What people manage: wallets, phones, templates, keys.

-- Every account has a testing wallet from its first moment on (accounts/tenants/account-sql.ts). Its provider comes with Sanad
-- under an id that is the same everywhere; it stands here already because accounts can be made before the first start has
-- brought the shipped templates. Accounts from before get theirs now, so that nobody has to make one on the way.
insert into providers (id, name, display_name, theme_color)
values ('0baca53a-4442-50b8-8fc7-1f2fe7efede2', 'sanad-test', 'Test wallet', '#5C6675')
on conflict (id) do nothing;
insert into wallets (id, account_id, provider_id, name, account_number, sender_name, is_test, created_at)
select gen_random_uuid(), a.id, '0baca53a-4442-50b8-8fc7-1f2fe7efede2', 'Test wallet', 'TEST', 'SanadTest', true,
       a.created_at
  from accounts a
 where not exists (select from wallets w where w.account_id = a.id and w.is_test);

-- What a provider's alerts can be read by: the operator's templates and those of one account.
create index alert_templates_of_provider on alert_templates (provider_id, account_id, status);
