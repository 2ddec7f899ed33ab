/** What owners are written when an endpoint fails and will be disabled, or was: Arabic and then English. Pure. */
import { oneLine, written } from '../accounts/letters.ts'
import type { Instant } from '../ground/clock.ts'
import type { Letter } from '../ground/letter.ts'
import type { Zone } from '../ground/zone.ts'
import type { Notice } from '../webhooks/endpoint-notices.ts'

/** `2026-01-05 06:04`, as a person reads it. */
const moment = (zone: Zone, at: Instant): string => zone.format(new Date(at)).slice(0, 16).replace('T', ' ')

/** Where it leads, without what may be a password in it. */
const place = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return oneLine(`${origin}${pathname}`).slice(0, 300)
}

const again = {
  ar: 'تبقى الأحداث محفوظة. بعد إصلاح الخادم فعّل العنوان من لوحة سند، صفحة Webhooks، وأعد إرسال ما فاته.',
  en: 'Events are kept. When your server is well, enable it in the dashboard, under Webhooks, and have sent what it missed.',
}

export const noticeLetter = (notice: Notice, account: string, zone: Zone): Omit<Letter, 'to'> => {
  const where = place(notice.url)
  const whose = oneLine(account)
  const { kind, failures, failingSince, disablesAt } = notice
  const since = moment(zone, failingSince ?? notice.at)
  if (kind === 'failing')
    return written(
      'webhook failing',
      `إشعارات الدفع لا تصل: ${whose} / Payment notices do not arrive: ${whose}`,
      [
        `إشعارات حساب «${whose}» إلى العنوان ${where} لا تصل منذ ${since} (${failures} محاولات فاشلة).`,
        `إن استمر ذلك يُعطَّل العنوان في ${moment(zone, disablesAt ?? notice.at)}.`,
        'تحقق من أن خادمك يعمل ويجيب بالرمز 200.',
      ],
      [
        `Notices of the account "${whose}" to ${where} have not arrived since ${since} (${failures} failed attempts).`,
        `If that goes on, the endpoint is disabled on ${moment(zone, disablesAt ?? notice.at)}.`,
        'Check that your server is running and answers 200.',
      ],
    )
  const why =
    kind === 'gone'
      ? { ar: 'لأن الخادم أجاب بالرمز 410: لا يريد المزيد.', en: 'because it answered 410: it wants no more.' }
      : {
          ar: `لأن شيئًا لم يصل منذ ${since} (${failures} محاولات فاشلة).`,
          en: `because nothing arrived since ${since} (${failures} failed attempts).`,
        }
  return written(
    'webhook disabled',
    `تم تعطيل إشعارات الدفع: ${whose} / Payment notices were disabled: ${whose}`,
    [`تم تعطيل إشعارات حساب «${whose}» إلى العنوان ${where} ${why.ar}`, again.ar],
    [`Notices of the account "${whose}" to ${where} were disabled, ${why.en}`, again.en],
  )
}
