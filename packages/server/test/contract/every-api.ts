/** The calls of all five APIs, each with the base of its paths: what walkers go over. */
import { checkoutOperations } from '@sanad/contract/checkout/operations'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import { developerOperations } from '@sanad/contract/developer/operations'
import { deviceOperations } from '@sanad/contract/device/operations'
import { merchantOperations } from '@sanad/contract/merchant/operations'
import type { Operation } from '@sanad/contract/operation'

export const everyApi: Readonly<Record<string, readonly Operation[]>> = {
  '/api/v1/merchant': merchantOperations,
  '/api/v1/checkout': checkoutOperations,
  '/api/v1/developer': developerOperations,
  '/api/v1/device': deviceOperations,
  '/api/v1/dashboard': dashboardOperations,
}
