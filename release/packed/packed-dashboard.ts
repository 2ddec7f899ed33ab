/** In the package, in place of built-dashboard.ts: the dashboard was built when the package was built. */
import { resolve } from 'node:path'

export const builtDashboard = async (): Promise<string> => resolve(import.meta.dirname, '../../packages/dashboard/dist')
