-- A notification is told by any app that a phone has, and only its package says which. A provider names the packages of its own
-- app; what another app shows is for a person. The names given here were found in public sources; of the other providers none
-- could be confirmed, so they have none until somebody who has the app adds it.
alter table providers
  add column packages text[] not null default '{}',
  add constraint providers_packages_few check (cardinality(packages) <= 20);

update providers p
   set packages = array[known.package]
  from (values ('kuraimi', 'com.KuraimiBank'),
               ('bkash', 'com.bKash.customerapp'),
               ('mpesa', 'com.safaricom.mpesa.lifestyle'),
               ('vodafone-cash', 'com.emeint.android.myservices')) as known (name, package)
 where p.account_id is null and p.name = known.name;
