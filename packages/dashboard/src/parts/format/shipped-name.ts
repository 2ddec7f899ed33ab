/** Translates the names that come with the service: the test wallet and its phone. Other names stay as they are. Pure. */
import type { Translate } from '../../words/language.ts'

const shipped = { 'Test wallet': 'part.testWallet', 'Simulated phone': 'part.simulatedPhone' } as const

export const shippedName = (name: string, t: Translate): string =>
  name in shipped ? t(shipped[name as keyof typeof shipped]) : name
