/**
 * The extension of Medusa's administration: the page of an order shows the vouchers of its payments as links. The file has
 * the form that Medusa's build of a plugin produces, so no build is needed here; the shop's build of its administration
 * includes it.
 */
import { Container, Heading, Text } from '@medusajs/ui'
import { createElement as h, useEffect, useState } from 'react'

const words = {
  en: { title: 'Mobile wallet', voucher: 'Voucher', waiting: 'Waiting for the payment', reference: 'Reference' },
  ar: { title: 'محفظة إلكترونية', voucher: 'إيصال الدفع', waiting: 'بانتظار الدفع', reference: 'رقم العملية' },
}

/** @type {(path: string) => Promise<any>} */
const read = async (path) => {
  // @ts-expect-error: the shop's build defines this name.
  const base = String(typeof __BACKEND_URL__ === 'undefined' ? '' : __BACKEND_URL__).replace(/\/$/, '')
  const answer = await fetch(`${base}${path}`, { credentials: 'include' })
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer.json()
}

/** The payments, and the sessions that still wait. @param {any} order */
const rowsOf = (order) =>
  (order.payment_collections ?? [])
    .flatMap((/** @type {any} */ collection) => [
      ...(collection.payments ?? []).map((/** @type {any} */ payment) => ({ ...payment, isPaid: true })),
      ...(collection.payment_sessions ?? []).filter(
        (/** @type {any} */ session) => session.status === 'pending_authorization',
      ),
    ])
    .filter(
      (/** @type {any} */ row) => row.provider_id.startsWith('pp_sanad_') && /^https?:/.test(row.data?.voucher ?? ''),
    )

/** @param {{ data: { id: string } }} props */
const SanadVouchers = ({ data: { id } }) => {
  const [rows, setRows] = useState(/** @type {any[]} */ ([]))
  useEffect(() => {
    const fields = 'id,*payment_collections.payments,*payment_collections.payment_sessions'
    read(`/admin/orders/${id}?fields=${fields}`).then(
      ({ order }) => setRows(rowsOf(order)),
      (fault) => console.error(fault),
    )
  }, [id])
  if (rows.length === 0) return null
  const { title, voucher, waiting, reference } = document.documentElement.lang.startsWith('ar') ? words.ar : words.en
  return h(
    Container,
    { className: 'divide-y p-0' },
    h('div', { className: 'px-6 py-4' }, h(Heading, { level: 'h2' }, title)),
    ...rows.map((row) =>
      h(
        'div',
        { key: row.id, className: 'flex flex-col gap-y-1 px-6 py-4' },
        h(Text, { size: 'small' }, row.isPaid ? `${row.data.amount} YER` : `${row.data.amount} YER · ${waiting}`),
        ...(row.data.references ?? []).map((/** @type {string} */ number) =>
          h(Text, { key: number, size: 'small', className: 'text-ui-fg-subtle' }, `${reference} ${number}`),
        ),
        h(
          'a',
          {
            href: row.data.voucher,
            target: '_blank',
            rel: 'noreferrer',
            className: 'txt-small text-ui-fg-interactive',
          },
          voucher,
        ),
      ),
    ),
  )
}

export default {
  widgetModule: { widgets: [{ Component: SanadVouchers, zone: ['order.details.side.after'] }] },
  routeModule: { routes: [] },
  menuItemModule: { menuItems: [] },
  formModule: { customFields: {} },
  displayModule: { displays: {} },
  i18nModule: { resources: {} },
  cellRendererModule: {},
  layoutModule: { layouts: [] },
  searchEntityModule: {},
}
