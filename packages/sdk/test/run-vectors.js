/** Runs the vectors and a payment on the runtime that runs this file: Node, Deno, Bun. Exits with an error when one fails. */
import * as sdk from '../src/sdk.js'
import * as testing from '../src/testing.js'
import { checkClient } from './check-client.js'
import { checkVectors } from './check-vectors.js'

const { checked, faults } = await checkVectors(sdk)
if (faults.length > 0) throw new Error(faults.join('\n'))
await checkClient(sdk, testing)
console.log(`${checked} vectors pass`)
