/** Many more runs of the properties of matching/one-payment-told.test.ts. */
import { openAttacks } from './attack-story.ts'
import { testTelling } from './told-payment.ts'

// Each run uses two phones, and an account has at most 500.
testTelling(await openAttacks(), 100)
