/** `/operator/templates/`: the templates that all accounts share. */

import * as operations from '@sanad/contract/dashboard/operator/shared-templates'
import {
  checkShared,
  draftShared,
  findSharedTemplate,
  listShared,
  publishShared,
  retireSharedTemplate,
  type SharedTemplate,
  setSamples,
} from '../../../alerts/templates/shared-templates.ts'
import type { TemplateId } from '../../../core/ids.ts'
import { refuse } from '../../../core/refusal.ts'
import { readNewTemplate, readSamples } from '../../body/dashboard/operator-body.ts'
import { uuidOfText } from '../../body/uuid.ts'
import { idIn } from '../../path-id.ts'
import { queryReader } from '../../query/query-reader.ts'
import { accepted, answerTo } from '../refusals.ts'
import { bodyOf, change, type DashboardContext, type Route, type UserCall, userRoute } from '../route.ts'

export const operatorTemplateRoutes = (deps: DashboardContext): Route[] => [
  userRoute(operations.listSharedTemplates, async ({ request }) => {
    const query = queryReader(request.raw.url ?? '')
    const provider = query.uuid('provider')
    const status = query.choice('status', ['draft', 'active', 'retired'])
    const after = query.cursor('after', uuidOfText)
    query.check()
    const requested = {
      size: query.pageSize(),
      ...(provider === undefined ? {} : { provider }),
      ...(status === undefined ? {} : { status }),
      ...(after === undefined ? {} : { after }),
    }
    const { templates, more } = await listShared(deps.db, requested)
    return { next: more ? (templates.at(-1)?.id ?? null) : null, results: templates.map(templateAnswer) }
  }),
  userRoute(operations.createSharedTemplate, async (call) => {
    const { draft, replaces } = bodyOf(call, readNewTemplate)
    const created = await change(deps, call, (db, audit) => draftShared(db, audit, draft, replaces, call.now))
    return templateById(deps, created.id)
  }),
  userRoute(operations.showSharedTemplate, ({ request }) => templateById(deps, idIn<TemplateId>(request, 'id'))),
  userRoute(operations.setTemplateSamples, async (call) => {
    const id = await templateIn(deps, call)
    const { samples, counter_samples } = bodyOf(call, readSamples)
    await change(deps, call, (db, audit) => setSamples(db, audit, id, samples, counter_samples))
    return templateById(deps, id)
  }),
  userRoute(operations.publishSharedTemplate, async (call) => {
    const id = await templateIn(deps, call)
    const done = await change(deps, call, (db, audit) => publishShared(db, audit, id))
    if ('failures' in done) throw answerTo(refuse('template_not_green', { failures: done.failures.join('\n') }))
    return templateById(deps, id)
  }),
  userRoute(operations.retireSharedTemplate, async (call) => {
    const id = await templateIn(deps, call)
    await change(deps, call, (db, audit) => retireSharedTemplate(db, audit, id))
    return templateById(deps, id)
  }),
]

/** The template that the path names. An unknown one is answered with 404 before the body is read. */
const templateIn = async ({ db }: DashboardContext, { request }: UserCall): Promise<TemplateId> => {
  const id = idIn<TemplateId>(request, 'id')
  accepted(await findSharedTemplate(db, id))
  return id
}

const templateById = async ({ db }: DashboardContext, id: TemplateId): Promise<operations.BenchedTemplate> => {
  const template = accepted(await findSharedTemplate(db, id))
  const bench = await checkShared(db, template)
  return {
    template: templateAnswer(template),
    bench: { green: bench.green, failures: bench.green ? [] : [...bench.failures] },
  }
}

const templateAnswer = (template: SharedTemplate): operations.SharedTemplate => ({
  id: template.id,
  provider: template.providerId,
  lineage: template.lineage,
  version: template.version,
  name: template.name,
  sender_names: [...template.senderNames],
  direction: template.direction,
  currency: template.currency,
  sentence: template.sentence,
  status: template.status,
  samples: template.samples.map((sample) => ({ ...sample })),
  counter_samples: template.counterSamples.map((sample) => ({ ...sample })),
})
