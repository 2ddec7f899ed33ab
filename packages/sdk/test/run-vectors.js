/** The vectors on the runtime that runs this file: Node, Deno, Bun. It ends with a fault when one is not kept. */
import * as sdk from '../src/sdk.js'
import { checkVectors } from './check-vectors.js'

const { checked, faults } = await checkVectors(sdk)
if (faults.length > 0) throw new Error(faults.join('\n'))
console.log(`${checked} vectors are kept`)
