import type { ProviderId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { jsonText, text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** Providers as buyers' pages show them: both names, their own steps for paying, and the link of their app. Index: primary key. */
export const findCompanies = scoped(
  'find_companies',
  {
    id: uuid<ProviderId>(),
    key: text(),
    display_name: text(),
    display_name_ar: text(),
    pay_steps_ar: jsonText(),
    pay_steps_en: jsonText(),
    app_link: text(),
  },
  (scope: Scope, ids: readonly ProviderId[]) => [scope.accountId, ids],
  `
  select p.id, case when p.account_id is null then p.name else '' end as key, p.display_name, p.display_name_ar,
         to_json(p.pay_steps_ar) as pay_steps_ar, to_json(p.pay_steps_en) as pay_steps_en,
         coalesce(p.app_link, '') as app_link
    from providers p
   where p.id = any($2::uuid[]) and (p.account_id is null or p.account_id = $1)`,
)
