/** The active templates of a provider, compiled, for every alert, without asking the database each time. */
import { type FreshCache, freshCache } from '../ground/fresh-cache.ts'
import type { ProviderId } from '../ground/ids.ts'
import type { Db } from '../postgres/database.ts'
import type { AlertTemplate } from './alert-template.ts'
import { templateOf } from './stored-template.ts'
import { activeTemplates } from './template-sql.ts'

export type TemplateLookup = FreshCache<ProviderId, readonly AlertTemplate[]>

export const templateLookup = (db: Db): TemplateLookup =>
  freshCache({ load: async (id) => (await activeTemplates(db, id)).map(templateOf), max: 2_000 })
