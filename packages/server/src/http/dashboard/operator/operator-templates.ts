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
} from '../../../alerts/publishing/shared-templates.ts'
import type { TemplateId } from '../../../core/ids.ts'
import { refuse } from '../../../core/refusal.ts'
import { newSharedTemplate } from '../../body/dashboard/operator-body.ts'
import { samplesOf } from '../../body/dashboard/template-samples.ts'
import { accepted, answerTo } from '../refusals.ts'
import { change, type DashboardContext, type Route, userRoute } from '../route.ts'

export const operatorTemplateRoutes = (deps: DashboardContext): Route[] => [
  userRoute(operations.listSharedTemplates, async ({ query: { provider, status, after, page_size: size } }) => {
    const requested = {
      size,
      ...(provider === undefined ? {} : { provider }),
      ...(status === undefined ? {} : { status }),
      ...(after === undefined ? {} : { after }),
    }
    const { templates, more } = await listShared(deps.db, requested)
    return { next: more ? (templates.at(-1)?.id ?? null) : null, results: templates.map(templateAnswer) }
  }),
  userRoute(operations.createSharedTemplate, async (call) => {
    const { draft, replaces } = newSharedTemplate(call.body)
    const created = await change(deps, call, (db, audit) => draftShared(db, audit, draft, replaces, call.now))
    return templateById(deps, created.id)
  }),
  userRoute(operations.showSharedTemplate, ({ path }) => templateById(deps, path.id)),
  userRoute(operations.setTemplateSamples, templateIn(deps), async (call, id) => {
    const { samples, counter_samples: counterSamples } = call.body
    await change(deps, call, (db, audit) => setSamples(db, audit, id, samplesOf(samples), counterSamples))
    return templateById(deps, id)
  }),
  userRoute(operations.publishSharedTemplate, templateIn(deps), async (call, id) => {
    const done = await change(deps, call, (db, audit) => publishShared(db, audit, id))
    if ('failures' in done) throw answerTo(refuse('template_not_green', { failures: done.failures.join('\n') }))
    return templateById(deps, id)
  }),
  userRoute(operations.retireSharedTemplate, templateIn(deps), async (call, id) => {
    await change(deps, call, (db, audit) => retireSharedTemplate(db, audit, id))
    return templateById(deps, id)
  }),
]

/** The template that the path names. */
const templateIn =
  ({ db }: DashboardContext) =>
  async ({ path }: { readonly path: { readonly id: TemplateId } }): Promise<TemplateId> =>
    accepted(await findSharedTemplate(db, path.id)).id as TemplateId

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
