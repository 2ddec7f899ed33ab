-- The known balance of a wallet no longer moves by what does not follow from it. What does not is remembered beside it, until
-- it is proved: the ends of chains that nobody proved, and what nobody saw between two balances that are believed.
alter table wallet_balances add column doubts json not null default '{}';

-- A published template reads again what nobody understood, at once and once more later: a node that did not know it yet may
-- have stored something in between.
alter table alert_templates add column reread_at timestamptz(3);
