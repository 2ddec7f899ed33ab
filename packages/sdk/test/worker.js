/** The vectors and a payment as a worker: `workerd test` calls `test`. */
import * as sdk from '../src/sdk.js'
import * as testing from '../src/testing.js'
import { checkClient } from './check-client.js'
import { checkVectors } from './check-vectors.js'

export default {
  async test() {
    const { checked, faults } = await checkVectors(sdk)
    if (faults.length > 0) throw new Error(faults.join('\n'))
    await checkClient(sdk, testing)
    console.log(`${checked} vectors pass`)
  },
}
