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
import { isRefusal } from '../../../core/refusal.ts'
import { invalid } from '../../answers.ts'
import { readNewTemplate, readSamples } from '../../body/dashboard/operator-body.ts'
import { NON_FIELD } from '../../body/field-error.ts'
import { uuidOfText } from '../../body/uuid.ts'
import { idIn } from '../../path-id.ts'
import { queryReader } from '../../query/query-reader.ts'
import { answerTo } from '../refusals.ts'
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
    if (isRefusal(created)) throw answerTo(created)
    return templateById(deps, created.id)
  }),
  userRoute(operations.showSharedTemplate, ({ request }) => templateById(deps, idIn<TemplateId>(request, 'id'))),
  userRoute(operations.setTemplateSamples, async (call) => {
    const id = await templateIn(deps, call)
    const { samples, counter_samples } = bodyOf(call, readSamples)
    const done = await change(deps, call, (db, audit) => setSamples(db, audit, id, samples, counter_samples))
    if (isRefusal(done)) throw answerTo(done)
    return templateById(deps, id)
  }),
  userRoute(operations.publishSharedTemplate, async (call) => {
    const id = await templateIn(deps, call)
    const done = await change(deps, call, (db, audit) => publishShared(db, audit, id))
    if (isRefusal(done)) throw answerTo(done)
    if ('failures' in done)
      throw invalid(done.failures.map((detail) => ({ code: 'template_not_green', detail, attr: NON_FIELD })))
    return templateById(deps, id)
  }),
  userRoute(operations.retireSharedTemplate, async (call) => {
    const id = await templateIn(deps, call)
    const done = await change(deps, call, (db, audit) => retireSharedTemplate(db, audit, id))
    if (isRefusal(done)) throw answerTo(done)
    return templateById(deps, id)
  }),
]

/** The template that the path names. An unknown one is answered with 404 before the body is read. */
const templateIn = async ({ db }: DashboardContext, { request }: UserCall): Promise<TemplateId> => {
  const id = idIn<TemplateId>(request, 'id')
  const template = await findSharedTemplate(db, id)
  if (isRefusal(template)) throw answerTo(template)
  return id
}

const templateById = async ({ db }: DashboardContext, id: TemplateId): Promise<operations.BenchedTemplate> => {
  const template = await findSharedTemplate(db, id)
  if (isRefusal(template)) throw answerTo(template)
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
