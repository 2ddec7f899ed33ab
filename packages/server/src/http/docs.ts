/**
 * The API reference for developers: the OpenAPI documents under `/openapi/`, and their pages: the merchant API at `/docs`,
 * the others at `/docs/checkout`, `/docs/dashboard` and `/docs/developer`. A page loads everything from this server and may
 * only connect to this server; its policy allows no script except its own files. The documents come from the contract.
 */
import { readFileSync } from 'node:fs'
import type { StaticDocumentSpec } from '@fastify/swagger'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

/** React sets styles through the DOM, which no policy forbids; the style sheet contains icons as data. */
const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': ["'self'", 'data:'],
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

export type Reference = {
  /** The path of the page. */
  readonly page: string
  /** The path of the document. */
  readonly file: string
  readonly title: string
  /** Called at the first request. */
  readonly document: () => object
}

type Sample = { readonly lang: string; readonly label: string; readonly source: string }
type Call = { readonly description?: string; readonly 'x-codeSamples'?: readonly Sample[] }

const sampleMarkdown = ({ lang, label, source }: Sample): string =>
  `**${label}**\n\n\`\`\`${lang === 'Shell' ? 'sh' : 'js'}\n${source}\n\`\`\``

/** For a page that takes tokens and has no call that gets one. */
const tokenHint =
  '**Try it here.** Get a token on the page of the [merchant API](/docs) (“Try it here” says how), and come back in the same tab: the calls ' +
  'of this page use it.'

const withTokenHint = (document: object): object => {
  const { info, paths, components } = document as {
    info: { description?: string }
    paths: Record<string, unknown>
    components: { securitySchemes: Record<string, unknown> }
  }
  if ('/token' in paths || !('accessToken' in components.securitySchemes)) return document
  return { ...document, info: { ...info, description: [info.description, tokenHint].filter(Boolean).join('\n\n') } }
}

/** The document with the samples of each call in its description: the viewer of the page shows no `x-codeSamples`. */
export const withShownSamples = (document: object): object => {
  const paths = Object.entries((document as { paths: Record<string, Record<string, Call>> }).paths)
  return {
    ...document,
    paths: Object.fromEntries(
      paths.map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, call]) => {
            const samples = call['x-codeSamples'] ?? []
            const description = [call.description, ...samples.map(sampleMarkdown)].filter(Boolean).join('\n\n')
            return [method, samples.length === 0 ? call : { ...call, description }]
          }),
        ),
      ]),
    ),
  }
}

const once = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** One document and its page. Registered in a scope of its own, so that its headers are not added to the API's answers. */
export const docs = async (app: FastifyInstance, { page, file, title, document }: Reference): Promise<void> => {
  const whole = once(document)
  const text = once(() => JSON.stringify(whole()))

  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'no-referrer')
  })

  app.get(file, (_request, reply) => reply.type('application/json').send(text()))

  // The library only turns the document into JSON or YAML, and both ask an object for its `toJSON`. Its types know OpenAPI up to 3.0.
  const shown = { toJSON: once(() => withTokenHint(withShownSamples(whole()))) }
  const specification = { document: shown as unknown as StaticDocumentSpec['document'] }
  await app.register(swagger, { mode: 'static', specification })
  await app.register(swaggerUi, {
    routePrefix: page,
    staticCSP: policy,
    logLevel: 'warn',
    uiConfig: {
      // Without the bar at the top, which offers to open any other document.
      layout: 'BaseLayout',
      deepLinking: true,
      docExpansion: 'list',
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 3,
      syntaxHighlight: false,
      validatorUrl: null,
    },
    theme: {
      title,
      css: [{ filename: 'sanad.css', content: aboveLibrary(pageStyle) }],
      js: [{ filename: 'sanad.js', content: pageScript }],
      favicon: [{ filename: 'sanad.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }],
    },
  })
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0F5C63"/>
<path d="M9 17l5 5 9-11" fill="none" stroke="#FBFAF7" stroke-width="3.5" stroke-linecap="round" stroke-linejoin="round"/></svg>`

const pageScript = readFileSync(new URL('./docs-script.js', import.meta.url), 'utf8')

/** The library's rules for dark begin with `html.dark-mode`: ours must be as specific. */
const aboveLibrary = (style: string): string => style.replaceAll(/^( *)\.swagger-ui/gm, '$1html:not(.none) .swagger-ui')

/** Sanad's colours over the library's own style. The library's selectors are long, so these must be as specific. */
const pageStyle = `
:root {
  --paper: #FBFAF7; --card: #FFFFFF; --shade: #F1EEE6; --ink: #17202E; --quiet: #5C6675; --line: #E6E2D8; --accent: #0F5C63;
  --text: 'IBM Plex Sans', system-ui, sans-serif; --mono: 'IBM Plex Mono', ui-monospace, monospace;
  color-scheme: light;
}
html.dark-mode {
  --paper: #12151A; --card: #1A1E25; --shade: #232833; --ink: #E8EAED; --quiet: #9AA4B2; --line: #2A303A; --accent: #5CC2C7;
  color-scheme: dark;
}
html:not(.none), html:not(.none) body { background: var(--paper); }
.swagger-ui { color: var(--ink); font-size: 14px; line-height: 1.5; }
.swagger-ui *:not(code, pre, pre *) { font-family: var(--text) !important; }
.swagger-ui :is(code, pre, pre *) { font-family: var(--mono) !important; }
.swagger-ui :is(h1, h2, h3, h4, h5, p, li, table, th, td, label, button, select, input, textarea, .info .title, .opblock-tag,
  .parameter__name, .parameter__type, .response-col_status, .tab li, .opblock-summary-path, .opblock-title span) {
  color: var(--ink);
}
.swagger-ui a { color: var(--accent); }
.swagger-ui .wrapper { max-width: 1040px; padding: 0 24px; }

.swagger-ui .info { margin: 40px 0 32px; }
.swagger-ui .info .title { font-size: 28px; }
.swagger-ui .info .title small { background: var(--quiet); }
.swagger-ui .info .title small.version-stamp { background: var(--accent); }
.swagger-ui .info hgroup.main > a { display: none; }
.swagger-ui .info :is(p, li, td, th) { font-size: 14px; line-height: 1.6; }
.swagger-ui .info h2 { font-size: 20px; margin: 40px 0 8px; }
.swagger-ui .info table { margin: 12px 0; }
.swagger-ui .info table :is(td, th) {
  border-bottom: 1px solid var(--line); max-width: none; padding: 8px 20px 8px 0 !important; vertical-align: top;
}
.swagger-ui .info table th { color: var(--quiet); font-size: 13px; }
.swagger-ui .info td code { white-space: nowrap; }
.swagger-ui :is(.markdown, .renderedMarkdown) code {
  background: var(--shade); border-radius: 4px; color: var(--ink); font-size: 12.5px; font-weight: 400; padding: 1px 5px;
}
.swagger-ui :is(.markdown, .renderedMarkdown) pre { margin: 12px 0; }
.swagger-ui :is(.markdown, .renderedMarkdown) pre > code {
  background: var(--card); border: 1px solid var(--line); border-radius: 8px; display: block; line-height: 1.6;
  overflow-x: auto; padding: 12px 16px; white-space: pre;
}

.swagger-ui .scheme-container { background: none; box-shadow: none; border-block: 1px solid var(--line); padding: 24px 0; }
.swagger-ui .opblock-tag { border-bottom: 1px solid var(--line); font-size: 20px; padding-left: 0; }
.swagger-ui .opblock-tag small, .swagger-ui .opblock-summary-description { color: var(--quiet); }
/* Events have a section of their own; their tag would be an empty section. */
.swagger-ui .opblock-tag-section:has(#operations-tag-Webhooks) { display: none; }
.swagger-ui .webhooks h2 { font-size: 20px; margin: 40px 0 8px; }
.swagger-ui .opblock[class] { background: var(--card); border: 1px solid var(--line); border-radius: 8px; box-shadow: none; }
.swagger-ui .opblock[class] .opblock-summary { border-color: var(--line); }
.swagger-ui .opblock[class] .opblock-summary-method { background: var(--accent); border-radius: 6px; text-shadow: none; }
.swagger-ui .opblock-get[class] .opblock-summary-method { background: var(--quiet); }
.swagger-ui .opblock[class] .tab-header[class] .tab-item.active h4 span::after { background: var(--accent); }
.swagger-ui .opblock[class] .opblock-section-header[class] { background: var(--paper); box-shadow: none; border-block: 1px solid var(--line); }
.swagger-ui .opblock-body pre.microlight[class] {
  background: var(--paper); border: 1px solid var(--line); border-radius: 8px; color: var(--ink); font-weight: 400;
}
.swagger-ui .opblock-body pre.microlight span { color: var(--ink) !important; }
.swagger-ui :is(.response-col_links, .response-control-media-type__accept-message) { display: none; }
.swagger-ui .btn { box-shadow: none; }
.swagger-ui .btn:is(.authorize, .execute) { background: var(--accent); border-color: var(--accent); color: #FFFFFF; }
.swagger-ui .btn.authorize :is(span, svg) { color: #FFFFFF; fill: #FFFFFF; }
html.dark-mode .swagger-ui .btn:is(.authorize, .execute) {
  background: var(--accent) !important; border-color: var(--accent) !important; color: #10151A !important;
}
html.dark-mode .swagger-ui .btn.authorize :is(span, svg) { color: #10151A !important; fill: #10151A !important; }
.swagger-ui :is(select, input, textarea) { border: 1px solid var(--line); border-radius: 6px; box-shadow: none; }
.swagger-ui section.models, .swagger-ui section.models.is-open h4 { border-color: var(--line); }
html.dark-mode .swagger-ui .opblock[class] .opblock-summary-method { color: #10151A; }
html.dark-mode .swagger-ui :is(.examples-select__section-label, .opblock-section-header label) { color: var(--ink) !important; }

@media (max-width: 760px) {
  .swagger-ui .wrapper { padding: 0 16px; }
  .swagger-ui .info table { display: block; overflow-x: auto; }
  .swagger-ui .info td code { overflow-wrap: anywhere; white-space: normal; }
  .swagger-ui .info table :is(td, th) { min-width: 0; padding-right: 12px !important; }
  .swagger-ui .info table td:has(> code:only-child) { min-width: 124px; }
  .swagger-ui :is(.parameters, .responses-table) > thead { display: none; }
  .swagger-ui :is(.parameters, .responses-table) > tbody > tr { border-bottom: 1px solid var(--line); display: block; }
  .swagger-ui :is(.parameters, .responses-table) > tbody > tr > td:not(.response-col_links) {
    display: block; max-width: none; padding: 8px 0 0; width: auto;
  }
  .swagger-ui .parameters input, .swagger-ui .parameters select { max-width: 100%; }
  .swagger-ui .auth-wrapper { justify-content: flex-start; }
}
`
