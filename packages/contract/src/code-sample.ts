/** A call as a command or with the SDK. A test runs all samples of an API against the service, in the order of its calls. */

export type CodeSample = {
  /** The language, as viewers of OpenAPI documents know it. */
  readonly lang: 'Shell' | 'JavaScript'
  readonly label: 'curl' | '@sanad/sdk' | 'sanad'
  readonly source: string
}

export const curl = (...lines: string[]): CodeSample => ({
  lang: 'Shell',
  label: 'curl',
  source: lines.join(' \\\n  '),
})

/** The samples of an API share their variables: `sanad` is declared by that of the token. */
export const sdk = (...lines: string[]): CodeSample => ({
  lang: 'JavaScript',
  label: '@sanad/sdk',
  source: lines.join('\n'),
})

/** A command of the SDK for developers' machines. */
export const command = (source: string): CodeSample => ({ lang: 'Shell', label: 'sanad', source })

/** The headers that nearly every command has. */
export const tokenHeader = `-H "Authorization: Bearer $TOKEN"`
export const jsonHeader = `-H 'Content-Type: application/json'`
