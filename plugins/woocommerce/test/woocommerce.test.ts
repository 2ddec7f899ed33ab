/**
 * Orders in a real WooCommerce with this plugin: placed in Chromium by the classic checkout and by the Checkout block, and by the Store
 * API; paid by a simulated phone through a real Sanad; once with orders in tables of their own (HPOS), once as posts.
 *
 * WOOCOMMERCE_DIR names an unpacked release; WORDPRESS_DIR names a WordPress, by default Debian's. Not part of npm test.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../../packages/dashboard/test/chromium.ts'
import { openSanad } from '../../running-sanad.ts'
import { openBlocks, openClassic, orderByStoreApi, placeBlocks, placeClassic } from './shop/buyer.ts'
import { openShop } from './shop/shop.ts'

type Shop = Awaited<ReturnType<typeof openShop>>
type Sanad = Awaited<ReturnType<typeof openSanad>>
type Order = {
  id: number
  status: string
  notes: string[]
  transaction: string
  number: string
  payment: Record<string, string>
}

const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Screenshots are made if SANAD_SHOTS names a folder. */
const shots = process.env.SANAD_SHOTS
const shoot = async (page: Page, name: string): Promise<void> => {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
}

const facts = `$facts = static function (WC_Order $order): array {
  return ['id' => $order->get_id(), 'status' => $order->get_status(), 'transaction' => $order->get_transaction_id(),
    'number' => (string) $order->get_meta('_sanad_order'), 'payment' => $order->get_meta('_sanad_payment') ?: [],
    'notes' => array_map(static fn ($note) => $note->content, wc_get_order_notes(['order_id' => $order->get_id(), 'order' => 'ASC']))];
};`

/** One service for both shops: a process can open it once. */
let sanad: Sanad
let browser: Browser
before(async () => {
  ;[sanad, browser] = await Promise.all([
    openSanad(),
    chromium.launch({ executablePath: findChromium(), args: chromiumArgs }),
  ])
})
after(async () => {
  await browser?.close()
  await sanad?.close()
})

for (const hpos of [true, false])
  describe(`orders ${hpos ? 'in tables of their own (HPOS)' : 'as posts'}`, { timeout: 1_400_000 }, () => {
    let shop: Shop
    let secret: string

    const change = (settings: Record<string, string>): Promise<unknown> =>
      shop.run(`update_option('woocommerce_sanad_settings', array_merge(get_option('woocommerce_sanad_settings', []),
        json_decode('${JSON.stringify(settings).replaceAll("'", "\\'")}', true)));`)

    const read = (id: number): Promise<Order> => shop.run(`${facts} return $facts(wc_get_order(${id}));`)
    const newest = (): Promise<Order> =>
      shop.run(`${facts} return $facts(wc_get_orders(['limit' => 1, 'orderby' => 'ID', 'order' => 'DESC'])[0]);`)
    const until = (id: number, status: string): Promise<Order> =>
      sanad.until(`order ${id} is ${status}`, async () => {
        const order = await read(id)
        return order.status === status && order
      })

    /** An order by the Store API, which is the quickest. Returns it with its page. */
    const place = async (): Promise<Order & { page: string }> => {
      const { status, body } = await orderByStoreApi(shop)
      assert.equal(status, 200, JSON.stringify(body))
      return { ...(await newest()), page: body.payment_result?.redirect_url ?? '' }
    }

    const send = (event: object, key = secret): Promise<Response> => {
      const body = JSON.stringify(event)
      const time = Math.floor(Date.now() / 1000)
      const v1 = createHmac('sha256', key).update(`${time}.${body}`).digest('hex')
      return fetch(shop.receiver, { method: 'POST', body, headers: { 'x-service-signature': `t=${time},v1=${v1}` } })
    }

    const editPage = (id: number): string =>
      `${shop.origin}/wp-admin/${hpos ? `admin.php?page=wc-orders&action=edit&id=${id}` : `post.php?post=${id}&action=edit`}`

    const signIn = async (): Promise<Page> => {
      const page = await (await browser.newContext({ viewport: { width: 1440, height: 1000 } })).newPage()
      // WooCommerce asks before a changed form is left.
      page.on('dialog', (dialog) => dialog.accept())
      await page.goto(`${shop.origin}/wp-login.php`)
      await page.fill('#user_login', 'owner')
      await page.fill('#user_pass', 'made-up-password')
      await page.click('#wp-submit')
      await page.waitForURL('**/wp-admin/**')
      return page
    }

    const stock = (): Promise<number> => shop.run(`return wc_get_product(${shop.pages.product})->get_stock_quantity();`)

    before(async () => {
      shop = await openShop({ hpos })
      secret = await sanad.addEndpoint(shop.receiver)
      await change({
        enabled: 'yes',
        title: 'Mobile wallet',
        description: 'Transfer from your wallet.',
        url: sanad.origin,
        client_id: sanad.key.clientId,
        client_secret: sanad.key.clientSecret,
        webhook_secret: secret,
        minutes: '90',
      })
      process.stdout.write(`WordPress ${shop.pages.wordpress}, WooCommerce ${shop.pages.woocommerce}\n`)
    })
    after(() => shop?.close())

    test('classic checkout: to Sanad’s page, paid, back to the shop, processing', async () => {
      const page = await openClassic(browser, shop)
      await page.getByText('Mobile wallet').first().waitFor()
      await shoot(page, 'classic-en')
      await placeClassic(page)
      await page.waitForURL(`${sanad.origin}/pay/**`)
      const placed = await newest()
      assert.equal(placed.status, 'pending')
      const left = await stock()
      await sanad.payOnPage(page.url(), '1500.00')
      const paid = await until(placed.id, 'processing')
      assert.match(paid.notes.join('\n'), /1,500 YER arrived/)
      assert.match(paid.transaction, /^\d{12}$/)
      // The status is stored before WooCommerce reduces the stock.
      await sanad.until('one less in stock', async () => (await stock()) === left - 1)
      // Sanad's page may lead back to the shop by itself meanwhile, which ends the reload.
      await page.reload().catch(() => undefined)
      await page.waitForURL(`${shop.origin}/**order-received**`)
      await page.getByText('Your payment has arrived').waitFor()
      await shoot(page, 'received-en')
      await page.context().close()
    })

    test('the Checkout block shows the method in Chromium and leads to Sanad’s page', async () => {
      const page = await openBlocks(browser, shop)
      await page.locator('.wp-block-woocommerce-checkout-payment-block').getByText('Mobile wallet').first().waitFor()
      await page.getByText('Transfer from your wallet.').first().waitFor()
      await shoot(page, 'blocks-en')
      await placeBlocks(page)
      await page.waitForURL(`${sanad.origin}/pay/**`)
      const placed = await newest()
      await sanad.payOnPage(page.url(), '1500.00')
      await until(placed.id, 'processing')
      await page.context().close()
    })

    test('Store API: an order is placed and paid', async () => {
      const order = await place()
      await sanad.payOnPage(order.page, '1500.00')
      await until(order.id, 'processing')
    })

    test('four callbacks at once: paid once, one set of mails, one less in stock', async () => {
      const order = await place()
      // Sanad's own callback is held back: the secret of the shop is another one until the four are sent.
      await change({ webhook_secret: 'made-up-other-secret' })
      await sanad.payOnPage(order.page, '1500.00')
      const api = await sanad.until('the checkout is paid', async () => {
        const found: { status: string; id: string; intents: { id: string }[] } = await shop.run(
          `return Sanad\\WooCommerce\\Connection::api(Sanad\\WooCommerce\\Settings::read())->checkout('${order.payment.id}');`,
        )
        return found.status === 'COMPLETE' && found
      })
      assert.equal((await read(order.id)).status, 'pending')
      const before = shop.mails().length
      const left = await stock()
      const event = {
        event: 'payment.verified',
        intent_id: api.intents[0]?.id,
        order_id: order.number,
        base_amount: '1500.00',
        amount: '1500.00',
        currency: 'YER',
        status: 'VERIFIED',
      }
      const answers = await Promise.all([1, 2, 3, 4].map(() => send(event, 'made-up-other-secret')))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [204, 204, 204, 204],
      )
      const paid = await read(order.id)
      assert.equal(paid.status, 'processing')
      assert.equal(paid.notes.filter((note) => note.includes('1,500 YER arrived')).length, 1)
      assert.equal(await stock(), left - 1)
      const sent = shop.mails().slice(before)
      assert.equal(new Set(sent).size, sent.length, sent.join('\n'))
      assert.equal(sent.length, 2, sent.join('\n'))
      await change({ webhook_secret: secret })
    })

    test('a callback that is forged, or whose amount or currency differs, pays nothing', async () => {
      const order = await place()
      const event = {
        event: 'payment.verified',
        intent_id: '019b7ca9-8f2e-7c3a-9d41-5b6e7f809a1b',
        order_id: order.number,
        base_amount: '1500.00',
        amount: '1500.00',
        currency: 'YER',
        status: 'VERIFIED',
      }
      assert.equal((await send(event, 'another secret')).status, 400)
      assert.equal((await fetch(shop.receiver, { method: 'POST', body: JSON.stringify(event) })).status, 400)
      for (const different of [{}, { base_amount: '1.00' }, { currency: 'USD' }, { order_id: 'WC-1-00000000' }])
        assert.equal((await send({ ...event, ...different })).status, 204)
      assert.equal((await read(order.id)).status, 'pending')
    })

    test('too little: on hold, a note with the link for the rest; the rest pays the order', async () => {
      const short = await place()
      const reference = sanad.newReference()
      await fetch(`${short.page}/wallet/`, {
        method: 'POST',
        body: new URLSearchParams({ wallet: sanad.demo.wallets.main }),
        redirect: 'manual',
      })
      await fetch(`${short.page}/reference/`, {
        method: 'POST',
        body: new URLSearchParams({ reference }),
        redirect: 'manual',
      })
      await sanad.report('1000.00', reference)
      const held = await until(short.id, 'on-hold')
      const notes = held.notes.join('\n')
      assert.match(notes, /Another amount arrived: 1,000 YER; the order costs 1,500 YER/)
      const link = /collect the missing 500 YER, send the buyer this link: (\S+)/.exec(notes)?.[1] ?? ''
      await shop.run(`Sanad\\WooCommerce\\AdminOrder::rest(wc_get_order(${short.id}));`)
      assert.equal((await read(short.id)).notes.filter((note) => note.includes(link)).length, 2)
      assert.match(link, new RegExp(`^${sanad.origin}/pay/`))
      await sanad.payRest(link, '500.00')
      await until(short.id, 'processing')
    })

    test('late money of a cancelled order: a note, and nothing else; restored by the shop, it is paid', async () => {
      const order = await place()
      await change({ webhook_secret: 'made-up-other-secret' })
      await sanad.payOnPage(order.page, '1500.00')
      await sanad.until('the money is here', async () => {
        const found: { status: string } = await shop.run(
          `return Sanad\\WooCommerce\\Connection::api(Sanad\\WooCommerce\\Settings::read())->checkout('${order.payment.id}');`,
        )
        return found.status === 'COMPLETE'
      })
      await shop.run(`wc_get_order(${order.id})->update_status('cancelled');`)
      await change({ webhook_secret: secret })
      const mails = shop.mails().length
      const refresh = `Sanad\\WooCommerce\\OrderPayments::open()->refresh(${order.id});`
      await shop.run(refresh)
      await shop.run(refresh)
      const late = await read(order.id)
      assert.equal(late.status, 'cancelled')
      assert.equal(late.notes.filter((note) => note.includes('Late money: 1,500 YER')).length, 1)
      assert.equal(shop.mails().length, mails)
      await shop.run(`wc_get_order(${order.id})->update_status('pending'); ${refresh}`)
      assert.equal((await read(order.id)).status, 'processing')
    })

    test('a lost callback: the timer finds the money', async () => {
      const order = await place()
      await change({ webhook_secret: 'made-up-other-secret' })
      await sanad.payOnPage(order.page, '1500.00')
      await sanad.until('the timer has found the money', async () => {
        await shop.run(`update_option('sanad_timer_after', 1); do_action('sanad_refresh_waiting');`)
        return (await read(order.id)).status === 'processing'
      })
      await change({ webhook_secret: secret })
    })

    test('an order that is cancelled closes its page', async () => {
      const order = await place()
      await shop.run(`wc_get_order(${order.id})->update_status('cancelled');`)
      const found: { status: string } = await shop.run(
        `return Sanad\\WooCommerce\\Connection::api(Sanad\\WooCommerce\\Settings::read())->checkout('${order.payment.id}');`,
      )
      assert.equal(found.status, 'CANCELLED')
    })

    const pageOf = async (order: { payment: Record<string, string> }): Promise<string> => {
      const found: { status: string } = await shop.run(
        `return Sanad\\WooCommerce\\Connection::api(Sanad\\WooCommerce\\Settings::read())->checkout('${order.payment.id}');`,
      )
      return found.status
    }

    test('an order that is paid in another way, or is gone, closes its page', async () => {
      const paid = await place()
      await shop.run(`$order = wc_get_order(${paid.id}); $order->set_payment_method('cod'); $order->save();
        $order->payment_complete('made-up'); return $order->get_status();`)
      assert.equal(await pageOf(paid), 'CANCELLED')
      const waiting = await place()
      await shop.run(`$order = wc_get_order(${waiting.id}); $order->set_payment_method('bacs'); $order->save();
        $order->update_status('on-hold');`)
      assert.equal(await pageOf(waiting), 'CANCELLED')
      const trashed = await place()
      // The list of orders puts a post into the trash by WordPress's own function.
      await shop.run(hpos ? `wc_get_order(${trashed.id})->delete(false);` : `wp_trash_post(${trashed.id});`)
      assert.equal(await pageOf(trashed), 'CANCELLED')
      const deleted = await place()
      await shop.run(`wc_get_order(${deleted.id})->delete(true);`)
      assert.equal(await pageOf(deleted), 'CANCELLED')
      const event = { event: 'payment.verified', intent_id: 'made-up', order_id: deleted.number, currency: 'YER' }
      assert.equal((await send(event)).status, 204)
    })

    test('a callback of one order, sent again, changes no other order', async () => {
      const [paid, other] = [await place(), await place()]
      await sanad.payOnPage(paid.page, '1500.00')
      await until(paid.id, 'processing')
      const intent: { id: string } = await shop.run(
        `return Sanad\\WooCommerce\\Connection::api(Sanad\\WooCommerce\\Settings::read())->intentsOf('${paid.number}')[0];`,
      )
      const event = {
        event: 'payment.verified',
        intent_id: intent.id,
        order_id: other.number,
        base_amount: '1500.00',
        amount: '1500.00',
        currency: 'YER',
        status: 'VERIFIED',
      }
      for (const repeated of [event, { ...event, order_id: paid.number }, { ...event, order_id: paid.number }])
        assert.equal((await send(repeated)).status, 204)
      const untouched = await read(other.id)
      assert.equal(untouched.status, 'pending')
      assert.match(untouched.notes.join('\n'), /A callback was not used/)
      const once = await read(paid.id)
      assert.deepEqual([once.status, once.notes.filter((note) => note.includes('YER')).length], ['processing', 1])
      // The order is refunded: a late callback tells nothing that is not known.
      await shop.run(`wc_get_order(${paid.id})->update_status('refunded');`)
      assert.equal((await send({ ...event, order_id: paid.number })).status, 204)
      const refunded = await read(paid.id)
      assert.equal(refunded.status, 'refunded')
      assert.doesNotMatch(refunded.notes.join('\n'), /Late money/)
    })

    test('a total that changes after the page was made: the link collects what is missing of the new one', async () => {
      const order = await place()
      const reference = sanad.newReference()
      const form = (path: string, body: Record<string, string>): Promise<Response> =>
        fetch(`${order.page}/${path}/`, { method: 'POST', body: new URLSearchParams(body), redirect: 'manual' })
      await form('wallet', { wallet: sanad.demo.wallets.main })
      await form('reference', { reference })
      const total = (amount: number, status: string): Promise<unknown> =>
        shop.run(`$order = wc_get_order(${order.id}); $order->set_total('${amount}'); $order->set_status('${status}'); $order->save();
          Sanad\\WooCommerce\\OrderPayments::open()->refresh(${order.id});`)
      await total(1200, 'pending')
      await sanad.report('1000.00', reference)
      const held = await until(order.id, 'on-hold')
      const link = /collect the missing 200 YER, send the buyer this link: (\S+)/.exec(held.notes.join('\n'))?.[1] ?? ''
      assert.notEqual(link, order.page)
      const [wrong]: { id: string }[] = await shop.run(
        `return Sanad\\WooCommerce\\Connection::api(Sanad\\WooCommerce\\Settings::read())->intentsOf('${order.number}');`,
      )
      await sanad.dashboard(`/intents/${wrong?.id}/accept-paid/`, { paid_amount: '1000.00' })
      await sanad.payOnPage(link, '200.00')
      await until(order.id, 'processing')
      // More is added to the paid order, and the shop asks for payment again.
      await total(1300, 'pending')
      const more = (await read(order.id)).notes.join('\n')
      assert.match(more, /Only 1,200 YER of 1,300 YER arrived/)
      await sanad.payOnPage(
        /collect the missing 100 YER, send the buyer this link: (\S+)/.exec(more)?.[1] ?? '',
        '100.00',
      )
      await until(order.id, 'processing')
    })

    test('the longest reference of a message, and a shop that writes a comma before the decimals', async () => {
      await shop.run(`update_option('woocommerce_price_num_decimals', '2'); update_option('woocommerce_price_decimal_sep', ',');
        update_option('woocommerce_price_thousand_sep', '.'); $product = wc_get_product(${shop.pages.product});
        $product->set_regular_price('1500.75'); $product->save();`)
      try {
        const order = await place()
        const reference = await sanad.payOnPage(order.page, '1500.75', sanad.newReference().repeat(6).slice(0, 64))
        const paid = await until(order.id, 'processing')
        assert.equal(paid.transaction, reference)
        assert.ok(
          paid.notes.join('\n').includes(`1,500.75 YER arrived. Reference: ${reference}.`),
          paid.notes.join('\n'),
        )
        const refund = await shop.run<string>(`$refund = wc_create_refund(['order_id' => ${order.id},
          'amount' => wc_format_decimal('0,75'), 'refund_payment' => true]);
          return is_wp_error($refund) ? $refund->get_error_message() : wc_get_order(${order.id})->get_meta('_sanad_refunds')[0]['amount'];`)
        assert.equal(refund, '0.75')
      } finally {
        await shop.run(`update_option('woocommerce_price_num_decimals', '0'); update_option('woocommerce_price_decimal_sep', '.');
          update_option('woocommerce_price_thousand_sep', ','); $product = wc_get_product(${shop.pages.product});
          $product->set_regular_price('1500'); $product->save();`)
      }
    })

    test('a refund is recorded, with a note that it is sent by hand', async () => {
      const order = await place()
      await sanad.payOnPage(order.page, '1500.00')
      await until(order.id, 'processing')
      const refunded: { fault: string; total: string; refunds: { amount: string; sent: boolean }[] } = await shop.run(`
        $refund = wc_create_refund(['order_id' => ${order.id}, 'amount' => '500', 'reason' => 'Cold & late', 'refund_payment' => true]);
        $order = wc_get_order(${order.id});
        return ['fault' => is_wp_error($refund) ? $refund->get_error_message() : '', 'total' => (string) $order->get_total_refunded(),
          'refunds' => $order->get_meta('_sanad_refunds')];`)
      assert.equal(refunded.fault, '')
      assert.equal(Number(refunded.total), 500)
      assert.deepEqual(
        refunded.refunds.map(({ amount, sent }) => [amount, sent]),
        [['500.00', false]],
      )
      assert.match((await read(order.id)).notes.join('\n'), /Refund to send by hand: 500 YER.*Cold & late/)
      await shop.run(`Sanad\\WooCommerce\\AdminOrder::refundsSent(wc_get_order(${order.id}));`)
      assert.match((await read(order.id)).notes.join('\n'), /Refunds sent by hand: 500 YER/)
      const unpaid = await place()
      assert.match(
        await shop.run<string>(`$refund = wc_create_refund(['order_id' => ${unpaid.id}, 'amount' => '500', 'refund_payment' => true]);
          return is_wp_error($refund) ? $refund->get_error_message() : '';`),
        /No payment through Sanad/,
      )
    })

    test('the shop’s own page: a wallet at the classic checkout, then the field for the reference', async () => {
      await change({ page: 'own' })
      const page = await openClassic(browser, shop)
      await page.locator('input[name=sanad_wallet]').first().waitFor()
      await shoot(page, 'own-classic-en')
      await page.check(`input[name=sanad_wallet][value="${sanad.demo.wallets.main}"]`)
      await placeClassic(page)
      await page.waitForURL(`${shop.origin}/**order-received**`)
      const placed = await newest()
      const reference = sanad.newReference()
      await page.fill('#sanad_reference', reference)
      await shoot(page, 'own-form-en')
      await page.getByRole('button', { name: 'Send the number' }).click()
      await page.getByText(`We are looking for the transfer ${reference}`).waitFor()
      await sanad.report('1500.00', reference)
      await until(placed.id, 'processing')
      await page.reload()
      await page.getByText('Your payment has arrived').waitFor()
      await page.context().close()
    })

    test('the shop’s own page in the Checkout block', async () => {
      const page = await openBlocks(browser, shop)
      const wallet = page.locator(`input[name=sanad_wallet][value="${sanad.demo.wallets.main}"]`)
      await wallet.waitFor()
      await wallet.check()
      await shoot(page, 'own-blocks-en')
      await placeBlocks(page)
      await page.waitForURL(`${shop.origin}/**order-received**`)
      const placed = await newest()
      const reference = sanad.newReference()
      await page.fill('#sanad_reference', reference)
      await page.getByRole('button', { name: 'Send the number' }).click()
      await sanad.report('1500.00', reference)
      await until(placed.id, 'processing')
      await page.context().close()
      await change({ page: 'hosted' })
    })

    test('another currency is not offered, and the settings page says why; the connection test', async () => {
      const page = await signIn()
      await page.goto(`${shop.origin}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=sanad`)
      await page.click('#sanad-test')
      await page.getByText('A signed callback reaches this shop.').waitFor()
      await page.getByText('The address and the key are right.').waitFor()
      await shoot(page, 'settings-en')
      await page.fill('#woocommerce_sanad_client_secret', 'made-up-wrong-secret')
      await page.click('#sanad-test')
      await page.getByText('The key is wrong, or it was revoked.').waitFor()
      await shop.run(`update_option('woocommerce_currency', 'USD');`)
      try {
        await page.reload()
        await page.getByText('this shop sells in USD').first().waitFor()
        const { status, body } = await orderByStoreApi(shop)
        assert.notEqual(status, 200, JSON.stringify(body))
      } finally {
        await shop.run(`update_option('woocommerce_currency', 'YER');`)
      }
      const order = await place()
      await page.goto(editPage(order.id))
      await page.getByText('Order number in Sanad').waitFor()
      await shoot(page, 'order-en')
      await page.context().close()
    })

    test('Arabic: the checkout, the settings, the notes and the shop’s own page', async () => {
      await shop.run(`update_option('WPLANG', 'ar');`)
      await change({ title: 'محفظة إلكترونية', description: 'حوّل من محفظتك واكتب رقم العملية.' })
      try {
        const page = await openClassic(browser, shop)
        await page.getByText('محفظة إلكترونية').first().waitFor()
        assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
        await shoot(page, 'classic-ar')
        await placeClassic(page)
        await page.waitForURL(`${sanad.origin}/pay/**`)
        assert.equal(await page.locator('html').getAttribute('lang'), 'ar')
        const placed = await newest()
        await sanad.payOnPage(page.url(), '1500.00')
        const paid = await until(placed.id, 'processing')
        assert.match(paid.notes.join('\n'), /أكّد سند الدفع: وصل 1,500 ريال يمني\. رقم العملية: \d{12}\./)
        await page.context().close()

        await change({ page: 'own' })
        const own = await openBlocks(browser, shop)
        await own.locator('input[name=sanad_wallet]').first().waitFor()
        await shoot(own, 'own-blocks-ar')
        await placeBlocks(own)
        await own.waitForURL(`${shop.origin}/**order-received**`)
        await own.getByText('رقم العملية من رسالة محفظتك').waitFor()
        await shoot(own, 'own-form-ar')
        await own.context().close()

        const admin = await signIn()
        await admin.goto(`${shop.origin}/wp-admin/admin.php?page=wc-settings&tab=checkout&section=sanad`)
        await admin.click('#sanad-test')
        await admin.getByText('الإشعار الموقّع يصل إلى المتجر.').waitFor()
        await shoot(admin, 'settings-ar')
        await admin.goto(editPage(placed.id))
        await admin.getByText('رقم الطلبية في سند').waitFor()
        await shoot(admin, 'order-ar')
        await admin.context().close()
      } finally {
        await shop.run(`update_option('WPLANG', '');`)
        await change({ title: 'Mobile wallet', description: 'Transfer from your wallet.', page: 'hosted' })
      }
    })

    test('in Yemen state and postcode are optional, if the setting is on', async () => {
      const required = (): Promise<boolean[]> =>
        shop.run(`$locale = (new WC_Countries())->get_country_locale()['YE'] ?? [];
          return [($locale['state']['required'] ?? true), ($locale['postcode']['required'] ?? true)];`)
      assert.deepEqual(await required(), [false, false])
      await change({ yemen_address: 'no' })
      assert.deepEqual(await required(), [true, true])
      await change({ yemen_address: 'yes' })
    })

    test('WooCommerce does not cancel an unpaid order while its page is open; both features are declared', async () => {
      const order = await place()
      const facts = await shop.run<{ may: boolean; features: Record<string, string[]> }>(`
        $order = wc_get_order(${order.id});
        return ['may' => apply_filters('woocommerce_cancel_unpaid_order', true, $order),
          'features' => \\Automattic\\WooCommerce\\Utilities\\FeaturesUtil::get_compatible_features_for_plugin('sanad-for-woocommerce/sanad-for-woocommerce.php')];`)
      assert.equal(facts.may, false)
      assert.ok(facts.features.compatible?.includes('custom_order_tables'), JSON.stringify(facts.features))
    })

    test('no note has HTML entities, and PHP complained of nothing in this plugin', async () => {
      const notes = await shop.run<string[]>(`$all = [];
        foreach (wc_get_orders(['limit' => 100]) as $order)
          foreach (wc_get_order_notes(['order_id' => $order->get_id()]) as $note) $all[] = $note->content;
        return $all;`)
      // WooCommerce writes notes of its own, some with entities.
      const ours = notes.filter((note) => /YER|Sanad|ريال|سند/.test(note))
      assert.ok(ours.length > 10, `${ours.length} of ${notes.length}`)
      assert.deepEqual(
        ours.filter((note) => /&(?:#\d+|#x[0-9a-f]+|[a-z]+);/i.test(note)),
        [],
      )
      assert.deepEqual(shop.complaints(), [])
    })
  })
