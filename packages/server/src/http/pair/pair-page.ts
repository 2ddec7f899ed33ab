/**
 * `GET /pair`: the page on which a shop's phone is set up. The code of the link is after the `#`, so the browser does not
 * send it: the page is the same for everybody and contains no secret. It is one small document for old phones and slow
 * connections: text, style and script are inside. Its policy allows only calls to this service, and no other file.
 */
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { pairDrawing } from '../drawings/pair-drawings.ts'
import { minifiedScript } from '../minify/minify-script.ts'
import { minifiedStyle } from '../minify/minify-style.ts'
import { lastValues } from '../query/parameters.ts'
import { type AppSteps, appSteps, type Download, type SetupStep } from './app-steps.ts'
import { batterySteps } from './battery-steps.ts'
import { androidGroups, installWarnings, smsFirst } from './install-warnings.ts'
import { type PairDeps, pairCalls } from './pair-calls.ts'
import { type Language, languageFor, pairWords, type Translated } from './pair-words.ts'

const script = minifiedScript(new URL('./browser/pair-script.ts', import.meta.url), 'es2020')
const choicesScript = minifiedScript(new URL('./browser/phone-choices.ts', import.meta.url), 'es2020')
const style = minifiedStyle(new URL('./browser/pair-style.css', import.meta.url))

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Escapes a text. `[[...]]` encloses Latin text in an Arabic sentence, which keeps its own direction. */
export const html = (text: string): string =>
  escaped(text).replaceAll('[[', '<bdi dir="ltr">').replaceAll(']]', '</bdi>')

const stepHead = (n: number, title: string, position: string): string =>
  `${pairDrawing(n)}<p class="quiet">${escaped(position.replace('{n}', String(n)))}</p><h2 tabindex="-1">${escaped(title)}</h2>`

const plural = new Intl.PluralRules('ar')

/** From eleven on, Arabic uses the singular after a number. No set-up takes less than three minutes. */
const takes = ({ minutes }: AppSteps, language: Language): string =>
  pairWords[language].takes
    .replace('{n}', String(minutes))
    .replace('دقائق', plural.select(minutes) === 'few' ? 'دقائق' : 'دقيقة')

const choice = (app: AppSteps, language: Language): string => `
<button type="button" class="choice" data-app="${app.app}"><b><bdi>${escaped(app.name[language])}</bdi>${
  app.app === appSteps[0]!.app ? `<span class="tag">${escaped(pairWords[language].recommended)}</span>` : ''
}</b><span class="takes">${escaped(takes(app, language))}</span><small>${html(app.good[language])}</small>${
  app.warning === undefined ? '' : `<span class="caution">${html(app.warning[language])}</span>`
}<span class="go">${escaped(pairWords[language].choose)}</span></button>`

/** Of a download whose size is not known here: where it is shown. */
const unknownSize = (address: string, language: Language): string => {
  const words = pairWords[language]
  return ` (${escaped(address.endsWith('.apk') ? words.sizeUnknown : words.sizeOnPage)})`
}

const downloads = (links: readonly Download[], language: Language): string =>
  `<ul>${links
    .map(
      ({ name, address, about_mb: size }) =>
        `<li><bdi>${escaped(name)}</bdi>${
          size === undefined
            ? unknownSize(address, language)
            : ` (${escaped(pairWords[language].size.replace('{n}', String(size)))})`
        }: <a href="${escaped(address)}" target="_blank" rel="noreferrer noopener"><bdi dir="ltr">${escaped(address)}</bdi></a></li>`,
    )
    .join('')}</ul>`

/** The warnings for the chosen Android; while it is not known, all of them. */
const beforeInstall = (language: Language): string => {
  const words = pairWords[language]
  const options = androidGroups.map(({ from, name }) => `<option value="${from}">${escaped(name[language])}</option>`)
  const items = installWarnings.map(({ from, text }) => `<li data-android="${from}">${html(text[language])}</li>`)
  return `<div class="card"><h3>${escaped(words.beforeInstall)}</h3>
<label for="android">${escaped(words.android)}</label>
<select id="android"><option value="">${escaped(words.androidUnknown)}</option>${options.join('')}</select>
<ul class="plainlist">${items.join('')}</ul></div>`
}

const install = (app: AppSteps, language: Language): string => `
<div data-for="${app.app}" hidden>
${app.warning === undefined ? '' : `<p class="card warn">${html(app.warning[language])}</p>`}
<p>${escaped(pairWords[language].step2Lead)}</p>
${downloads(app.install, language)}
${app.installNote === undefined ? '' : `<p>${html(app.installNote[language])}</p>`}
${app.readsNotifications ? `<p>${html(smsFirst[language])}</p>` : ''}
</div>`

const settings = (app: AppSteps, language: Language): string => {
  const words = pairWords[language]
  const copied = ({ text, field, pick }: SetupStep): string =>
    `${html(text[language])}${field === undefined ? '' : `<div class="copy" data-field="${field}" hidden><code></code>${pick ? '' : `<button type="button" class="small plain" aria-live="polite">${escaped(words.copy)}</button>`}</div>`}`
  const steps = `<ol class="do">${app.settings
    .map((step) => {
      const { links, live } = step
      return `<li>${copied(step)}${links === undefined ? '' : downloads(links, language)}${
        live === undefined
          ? ''
          : `<span class="live" data-live="${live}" role="status">${escaped(live === 'registered' ? words.waitRegistered : words.waitConfigured)}</span>`
      }</li>`
    })
    .join('')}</ol>`
  const byFile =
    app.byFile === undefined
      ? ''
      : `<ol class="do">${app.byFile
          .map(
            (text, at) =>
              `<li>${html(text[language])}${at > 0 ? '' : `<nav><button type="button" data-save>${escaped(words.saveFile)}</button><button type="button" class="plain" data-share hidden>${escaped(words.shareFile)}</button></nav>`}</li>`,
          )
          .join('')}</ol>`
  return `
<div data-for="${app.app}" hidden>
${app.onDemand ? `<nav><button type="button" data-create>${escaped(words.showLine)}</button></nav>` : ''}
<div data-created hidden>
${byFile === '' ? `<p>${escaped(words.step3Lead)}</p>${steps}` : `${byFile}<details><summary>${escaped(words.byHand)}</summary>${steps}</details>`}
${app.afterwards === undefined ? '' : `<div class="afterwards">${copied(app.afterwards)}</div>`}
<p class="quiet" data-until></p>
<details><summary>${escaped(words.newAccess)}</summary><p class="quiet">${escaped(words.newAccessLead)}</p><button type="button" class="plain" data-create>${escaped(words.newAccess)}</button></details>
</div></div>`
}

const listOf = (steps: readonly Translated[], language: Language): string =>
  `<ol class="do">${steps.map((step) => `<li>${html(step[language]).replaceAll('{app}', '<bdi data-installed></bdi>')}</li>`).join('')}</ol>`

/** The document. `nonce` allows its own style and script in the policy. */
export const pairPage = (language: Language, nonce: string): string => {
  const words = pairWords[language]
  const w = (key: keyof typeof words): string => escaped(words[key])
  const facts = [
    ['opened_at', words.sOpened],
    ['app_at', words.sApp],
    ['contact_at', words.sContact],
    ['message_at', words.sMessage],
  ] as const
  const data = {
    words,
    names: Object.fromEntries(appSteps.map(({ app, name }) => [app, name[language]])),
    installed: Object.fromEntries(appSteps.map(({ app, name, installedAs }) => [app, installedAs ?? name[language]])),
    onDemand: appSteps.filter(({ onDemand }) => onDemand).map(({ app }) => app),
    makers: batterySteps.map(({ maker, models }) => [maker, models]),
  }
  return `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex,nofollow">
<meta name="referrer" content="no-referrer">
<title>${w('title')} · Sanad</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<header><b>${language === 'ar' ? 'سند' : 'Sanad'}</b><a href="/pair?l=${language === 'ar' ? 'en' : 'ar'}" lang="${language === 'ar' ? 'en' : 'ar'}" id="language">${w('other')}</a></header>
<main>
<h1>${w('title')}</h1>
<p class="quiet" id="lead">${w('lead')}</p>
<noscript><p class="card problem">${w('noScript')}</p></noscript>
<p class="card" id="opening" role="status" hidden>${w('opening')}</p>
<div class="card problem" id="problem" role="alert" hidden><p></p><button type="button" class="plain" hidden>${w('retry')}</button></div>
<form class="card" id="enter" hidden>
<h2>${w('codeTitle')}</h2><p>${w('codeLead')}</p>
<label for="code">${w('codeLabel')}</label>
<input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required>
<button>${w('codeGo')}</button>
</form>
<div id="steps" hidden>
<div class="bar" aria-hidden="true"><i></i><i></i><i></i><i></i><i></i></div>
<section data-step="1" hidden>${stepHead(1, words.step1, words.stepOf)}
<p>${w('step1Lead')}</p>${choice(appSteps[0]!, language)}
<details><summary>${w('otherApps')}</summary>${appSteps
    .slice(1)
    .map((app) => choice(app, language))
    .join('')}</details>
<p class="quiet">${w('oneWay')}</p>
</section>
<section data-step="2" hidden>${stepHead(2, words.step2, words.stepOf)}
<p><b><bdi data-name></bdi></b></p><p class="card warn" id="https" hidden>${w('needsHttps')}</p>${beforeInstall(language)}${appSteps.map((app) => install(app, language)).join('')}
<nav><button type="button" data-next>${w('installed')}</button></nav>
</section>
<section data-step="3" hidden>${stepHead(3, words.step3, words.stepOf)}
<p class="card" id="senders"></p>${appSteps.map((app) => settings(app, language)).join('')}
<nav><button type="button" data-next>${w('settingsDone')}</button></nav>
</section>
<section data-step="4" hidden>${stepHead(4, words.step4, words.stepOf)}
<p>${w('step4Lead')}</p>
<label for="maker">${w('maker')}</label>
<select id="maker">${batterySteps.map(({ maker, name }) => `<option value="${maker}">${escaped(name[language])}</option>`).join('')}</select>
${batterySteps.map(({ maker, steps }) => `<div data-maker="${maker}" hidden>${listOf(steps, language)}</div>`).join('')}
${appSteps.map(({ app, batteryNote }) => (batteryNote === undefined ? '' : `<p data-for="${app}" hidden>${html(batteryNote[language])}</p>`)).join('')}
<p>${w('always')}</p>
<nav><button type="button" data-next>${w('batteryDone')}</button></nav>
</section>
<section data-step="5" hidden>${stepHead(5, words.step5, words.stepOf)}
<div id="done" class="card good" role="status" hidden><span class="stamp">${w('doneTitle')}</span><p>${w('doneLead')}</p></div>
<div id="trial">
${appSteps.map((app) => `<p data-for="${app.app}" hidden>${html(app.trial[language])}</p>`).join('')}
<p>${w('surest')}</p>
<details><summary>${w('nothing')}</summary><ol class="do">${[words.nothing1, words.nothing2, words.nothing3, words.nothing4].map((hint) => `<li>${escaped(hint)}</li>`).join('')}</ol></details>
</div>
</section>
<nav><button type="button" class="plain" id="back" hidden>${w('back')}</button></nav>
<div class="card"><h2>${w('status')}</h2><dl class="facts">${facts.map(([key, name]) => `<div data-fact="${key}"><dt>${escaped(name)}${key === 'app_at' ? ': <bdi data-name>…</bdi>' : ''}</dt><dd>${w('waiting')}</dd></div>`).join('')}</dl></div>
</div>
</main>
<script type="application/json" id="data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
<script nonce="${nonce}">${choicesScript};${script}</script>
</body>
</html>`
}

const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const fastBrotli = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
}

export const pairPages = (deps: PairDeps) => async (server: FastifyInstance) => {
  await server.register(pairCalls(deps))
  server.get('/pair', async (request, reply) => {
    const chosen = lastValues(request.raw.url ?? '').get('l')
    const language = languageFor(chosen, request.headers['accept-language'] ?? '')
    const nonce = randomBytes(16).toString('base64')
    const page = pairPage(language, nonce)
    const accepts = String(request.headers['accept-encoding'] ?? '')
    const coding = /\bbr\b/.test(accepts) ? 'br' : /\bgzip\b/.test(accepts) ? 'gzip' : undefined
    return reply
      .headers({
        'content-security-policy': policy(nonce),
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'x-frame-options': 'DENY',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'camera=(), microphone=(), geolocation=()',
        'cache-control': 'no-store',
        'content-language': language,
        vary: 'accept-encoding, accept-language',
        ...(coding === undefined ? {} : { 'content-encoding': coding }),
      })
      .type('text/html; charset=utf-8')
      .send(
        coding === 'br'
          ? await promisify(brotliCompress)(page, fastBrotli)
          : coding === 'gzip'
            ? await promisify(gzip)(page)
            : page,
      )
  })
}
