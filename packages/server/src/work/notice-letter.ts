/**
 * What owners are written when an endpoint fails and will be disabled, or was: what happened, since when, and what to do.
 * Arabic and then English, as all letters; a fact a line, so that addresses and times stand alone in either direction. Pure.
 */
import { oneLine, written } from '../accounts/letters.ts'
import type { Instant } from '../ground/clock.ts'
import type { Letter } from '../ground/letter.ts'
import type { Zone } from '../ground/zone.ts'
import type { Notice } from '../webhooks/endpoint-notices.ts'

/** `2026-01-05 06:04 +03:00`, as a person reads it. */
const moment = (zone: Zone, at: Instant): string => {
  const whole = zone.format(new Date(at))
  return `${whole.slice(0, 10)} ${whole.slice(11, 16)} ${whole.slice(-6)}`
}

/** Enough of a long part of a path to know it by: many services give out addresses that are passwords themselves. */
const longestShown = 15
const shown = (part: string): string => (part.length > longestShown ? `${part.slice(0, 4)}…` : part)

/** Where it leads, without what may be a password in it. */
const place = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return oneLine(`${origin}${pathname.split('/').map(shown).join('/')}`).slice(0, 300)
}

type Both = { readonly ar: string; readonly en: string }

/** What stands behind a colon: the same in both languages. */
const fact = (name: Both, value: string | number): Both => ({ ar: `${name.ar}: ${value}`, en: `${name.en}: ${value}` })

const say = (kind: string, subject: Both, lines: readonly Both[]): Omit<Letter, 'to'> =>
  written(
    kind,
    `${subject.ar} / ${subject.en}`,
    lines.map((line) => line.ar),
    lines.map((line) => line.en),
  )

/** `origin`: where the dashboard is. */
export const noticeLetter = (notice: Notice, account: string, zone: Zone, origin: string): Omit<Letter, 'to'> => {
  const whose = oneLine(account)
  const { kind, failures, failingSince, disablesAt } = notice
  const page = `${origin}/webhooks/${notice.endpointId}`
  const address = fact({ ar: 'عنوان الاستقبال', en: 'Endpoint' }, place(notice.url))
  const facts = [
    address,
    fact({ ar: 'منذ', en: 'Since' }, moment(zone, failingSince ?? notice.at)),
    fact({ ar: 'عدد المحاولات الفاشلة', en: 'Failed attempts' }, failures),
  ]
  if (kind === 'failing')
    return say(
      'webhook failing',
      { ar: `إشعارات الدفع لا تصل: ${whose}`, en: `Payment notices do not arrive: ${whose}` },
      [
        {
          ar: `إشعارات الدفع لحساب «${whose}» لا تصل إلى خادمك.`,
          en: `Payment notices of the account "${whose}" do not reach your server.`,
        },
        ...facts,
        fact(
          { ar: 'إن استمر ذلك يُعطَّل العنوان في', en: 'If that goes on, the endpoint is disabled on' },
          moment(zone, disablesAt ?? notice.at),
        ),
        {
          ar: 'تحقق من أن خادمك يعمل ويجيب بالرمز 200. ما أجاب به تجده في سجل الإرسال:',
          en: 'Check that your server is running and answers 200. What it answered is in the delivery log:',
        },
        { ar: page, en: page },
      ],
    )
  const gone = {
    ar: `عُطِّل إرسال إشعارات الدفع لحساب «${whose}» لأن خادمك أجاب بالرمز 410، أي أنه لا يريد المزيد.`,
    en: `Payment notices of the account "${whose}" were disabled, because your server answered 410: it wants no more.`,
  }
  const failed = {
    ar: `عُطِّل إرسال إشعارات الدفع لحساب «${whose}» لأن شيئًا منها لم يصل إلى خادمك.`,
    en: `Payment notices of the account "${whose}" were disabled, because none of them reached your server.`,
  }
  return say(
    'webhook disabled',
    { ar: `عُطِّلت إشعارات الدفع: ${whose}`, en: `Payment notices were disabled: ${whose}` },
    [
      ...(kind === 'gone' ? [gone, address] : [failed, ...facts]),
      {
        ar: 'تبقى الأحداث محفوظة. بعد إصلاح الخادم فعّل العنوان من لوحة سند، وأعد إرسال ما فاته:',
        en: 'Events are kept. When your server is well, enable the endpoint in the dashboard, and have sent what it missed:',
      },
      { ar: page, en: page },
    ],
  )
}
