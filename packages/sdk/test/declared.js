/** Compiles only while the JavaScript matches the hand-written declarations. Read by types.test.ts; not executed. */
import * as forward from '../src/forward.js'
import * as sdk from '../src/sdk.js'

/** @type {typeof import('../types/sdk.d.ts')} */
export const declaredSdk = sdk
/** @type {typeof import('../types/forward.d.ts')} */
export const declaredForward = forward
