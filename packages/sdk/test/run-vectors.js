/** Runs the vectors on the runtime that runs this file: Node, Deno, Bun. Exits with an error when one fails. */
import * as sdk from '../src/sdk.js'
import { checkVectors } from './check-vectors.js'

const { checked, faults } = await checkVectors(sdk)
if (faults.length > 0) throw new Error(faults.join('\n'))
console.log(`${checked} vectors are kept`)
