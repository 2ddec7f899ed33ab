/** Compiles only while the JavaScript matches the hand-written declarations. Read by types.test.ts; not executed. */
import * as forward from '../src/forward.js'
import * as sdk from '../src/sdk.js'
import * as testing from '../src/testing.js'

/** @type {typeof import('../types/sdk.d.ts')} */
export const declaredSdk = sdk
/** @type {typeof import('../types/forward.d.ts')} */
export const declaredForward = forward
/** @type {typeof import('../types/testing.d.ts')} */
export const declaredTesting = testing
