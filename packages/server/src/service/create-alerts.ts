/** How alerts are read: the templates, and the reader of reports with its cache of wallets. */
import { hidingBy } from '../alerts/hidden/hidden-text.ts'
import { templateLookup } from '../alerts/publishing/template-lookup.ts'
import { reportReader } from '../matching/reading/read-report.ts'
import type { Base } from './open-base.ts'

export type Alerts = ReturnType<typeof createAlerts>

export const createAlerts = ({ db, masterKey }: Base) => {
  const templates = templateLookup(db)
  return { templates, readReport: reportReader(db, templates, hidingBy(masterKey)) }
}
