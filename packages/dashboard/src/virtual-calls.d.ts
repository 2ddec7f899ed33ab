declare module 'virtual:calls' {
  export const calls: Readonly<Record<string, readonly [method: string, path: string]>>
}
