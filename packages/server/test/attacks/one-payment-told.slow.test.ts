/** Many more runs of the properties of matching/one-payment-told.test.ts. */
import { openAttacks } from './attack-story.ts'
import { testTelling } from './told-payment.ts'

testTelling(await openAttacks(), 150)
