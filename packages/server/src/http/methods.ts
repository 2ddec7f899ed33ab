/**
 * Every method that Node's parser knows. Not imported by name: an import of `node:http` reads all that it exports, among it the
 * WebSocket, and that code costs a start 50 ms of processor.
 */
export const METHODS: readonly string[] = process.getBuiltinModule('node:http').METHODS
