/** The check of a template and the parts of its samples, as unit tests need them: a result, without its steps. */
import type { AlertTemplate } from '../../../src/alerts/templates/alert-template.ts'
import { type CheckResult, checkInSteps } from '../../../src/alerts/templates/template-check.ts'
import { type Cuts, cuttingOf } from '../../../src/alerts/templates/template-cuts.ts'

export const checkTemplate = async (
  template: AlertTemplate,
  others: readonly AlertTemplate[],
): Promise<CheckResult> => {
  const { failures } = await checkInSteps(template, others)
  return failures.length === 0 ? { green: true } : { green: false, failures }
}

export const cutsOf = (raw: string): Cuts => {
  const cutting = cuttingOf(raw)
  for (;;) {
    const step = cutting.next()
    if (step.done) return step.value
  }
}
