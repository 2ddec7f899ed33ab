/** `/templates/`: the templates that read alerts. Every account sees the operator's; it drafts and publishes its own. */

import { isDeepStrictEqual } from 'node:util'
import * as operations from '@sanad/contract/dashboard/wallets/templates'
import { authorityOf } from '../../../alerts/approvals/provider-senders.ts'
import {
  changeDraft,
  checkOf,
  createDraft,
  deleteDraft,
  draftNext,
  findTemplateOf,
  type ManagedTemplate,
  publishDraft,
  retireTemplate,
  templatesOf,
} from '../../../alerts/publishing/account-templates.ts'
import type { TemplateLookup } from '../../../alerts/publishing/template-lookup.ts'
import type { ProviderId } from '../../../core/ids.ts'
import { refuse } from '../../../core/refusal.ts'
import type { Scope } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import { phonesOfProvider } from '../../../wallets/entries/account-wallets-sql.ts'
import type { PhoneLookup } from '../../../wallets/phones/phone-lookup.ts'
import { notFound } from '../../answers.ts'
import { newTemplate, templateChanges } from '../../body/dashboard/template-body.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { accepted } from '../refusals.ts'
import { change, type DashboardContext, type NamedCall, type Route, route } from '../route.ts'
import { benchAnswer, contentAnswer, templateAnswer } from './template-answers.ts'
import { templateNotice } from './trust-notice.ts'

export type TemplateDeps = DashboardContext & {
  readonly zone: Zone
  readonly templates: TemplateLookup
  readonly knownPhones: PhoneLookup
}

/** A sender that counts from now on is new for the wallets that have it: this node reads them again for the next message. */
export const forgetWatches = async (
  { db, knownPhones }: Pick<TemplateDeps, 'db' | 'knownPhones'>,
  scope: Scope,
  providerId: ProviderId,
): Promise<void> => {
  for (const { device_id } of await phonesOfProvider(db, scope, providerId)) knownPhones.forget(device_id)
}

/** The version that the path names, if the account may see it. */
export const templateIn =
  ({ db }: DashboardContext) =>
  async ({ path, member }: NamedCall): Promise<ManagedTemplate> => {
    const template = await findTemplateOf(db, member.scope, path.id)
    if (template === undefined) throw notFound()
    return template
  }

export const templateRoutes = (deps: TemplateDeps): Route[] => [
  route(operations.listTemplates, async ({ query: { after, page_size: size, provider, status }, member }) => {
    const filter = { providerId: (provider ?? null) as ProviderId | null, status: status ?? null }
    const rows = await templatesOf(deps.db, member.scope, filter, after, size + 1)
    const cursorOf = ({ name, lineage, version }: ManagedTemplate) => [name, lineage, version]
    return pageAnswer(rows, size, cursorOf, (template) => templateAnswer(template, deps.zone))
  }),
  route(operations.createTemplate, async (call) => {
    const { member, now } = call
    const { providerId, content } = newTemplate(call.body)
    const created = await change(deps, call, async (db, audit) => {
      const done = accepted(await createDraft(db, member.scope, providerId, content, now))
      audit({ action: 'template.create', kind: 'template', id: done.id, after: contentAnswer(done) })
      return done
    })
    return templateAnswer(created, deps.zone)
  }),
  route(operations.showTemplate, templateIn(deps), async (_, found) => templateAnswer(found, deps.zone)),
  route(operations.changeTemplate, templateIn(deps), async (call, { id }) => {
    const { member } = call
    const changes = templateChanges(call.body)
    const changed = await change(deps, call, async (db, audit) => {
      const done = accepted(await changeDraft(db, member.scope, id, changes))
      const [before, after] = [contentAnswer(done.before), contentAnswer(done.after)]
      if (!isDeepStrictEqual(before, after)) audit({ action: 'template.update', kind: 'template', id, before, after })
      return done
    })
    return templateAnswer(changed.after, deps.zone)
  }),
  route(operations.deleteTemplate, templateIn(deps), async (call, { id }) => {
    const { member } = call
    await change(deps, call, async (db, audit) => {
      const done = accepted(await deleteDraft(db, member.scope, id))
      audit({ action: 'template.delete', kind: 'template', id, before: contentAnswer(done) })
      return done
    })
    return undefined
  }),
  route(operations.showBench, async (call) => {
    return benchAnswer(accepted(await checkOf(deps.db, call.member.scope, call.path.id)))
  }),
  route(operations.publishTemplate, templateIn(deps), async (call, { id, providerId, version }) => {
    const { member, now } = call
    await change(deps, call, async (db, audit) => {
      const done = accepted(await publishDraft(db, member.scope, id, now, authorityOf(member.role)))
      if (done.kind === 'refused') return refuse('template_not_green', { failures: done.failures.join('\n') })
      const { name, senderNames } = done.template
      // A template decides what counts as money: all owners get a notice, whoever published it. A session may be stolen.
      const told = templateNotice(name, senderNames)
      audit({ action: 'template.publish', kind: 'template', id, after: { name, version }, ...told })
      return done
    })
    deps.templates.forget(providerId, member.scope.accountId)
    await forgetWatches(deps, member.scope, providerId)
    return templateAnswer(await templateIn(deps)(call), deps.zone)
  }),
  route(operations.retireTemplate, templateIn(deps), async (call, { id, providerId }) => {
    const { member } = call
    const retired = await change(deps, call, async (db, audit) => {
      const done = accepted(await retireTemplate(db, member.scope, id))
      const { name, version } = done
      const notice = { kind: 'template_retired', facts: { name } } as const
      audit({ action: 'template.retire', kind: 'template', id, before: { name, version }, notice })
      return done
    })
    deps.templates.forget(providerId, member.scope.accountId)
    return templateAnswer(retired, deps.zone)
  }),
  route(operations.draftNextVersion, templateIn(deps), async (call, { id }) => {
    const { member, now } = call
    const created = await change(deps, call, async (db, audit) => {
      const done = accepted(await draftNext(db, member.scope, id, now))
      audit({ action: 'template.create', kind: 'template', id: done.id, after: contentAnswer(done) })
      return done
    })
    return templateAnswer(created, deps.zone)
  }),
]
