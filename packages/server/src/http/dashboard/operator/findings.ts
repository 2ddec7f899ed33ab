/** `/operator/findings/`: what is wrong with the installation, as `sanad doctor` says it. */
import { showFindings } from '@sanad/contract/dashboard/operator/findings'
import type { Instant } from '../../../core/clock.ts'
import { type Finding, worst } from '../../../doctor/finding.ts'
import { type Route, userRoute } from '../route.ts'
import type { OperatorDeps } from './operator-accounts.ts'

export type FindingDeps = OperatorDeps & {
  /** Looks at the machine of this node, at the database, and at what can be tried from here. */
  readonly examine: (now: Instant) => Promise<{
    readonly host: string
    readonly version: string
    readonly findings: readonly Finding[]
  }>
}

export const findingRoutes = ({ examine, zone }: FindingDeps): Route[] => [
  userRoute(showFindings, async ({ now }) => {
    const { host, version, findings } = await examine(now)
    return {
      at: zone.format(new Date(now)),
      host,
      version,
      level: worst(findings),
      findings: findings.map(({ part, level, kind, values, says, cure = null }) => {
        return { part, level, kind, values: { ...values }, says, cure }
      }),
    }
  }),
]
