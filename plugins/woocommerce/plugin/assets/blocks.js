/** The payment method in the Checkout block: its title, its description and, for the shop's own page, the choice of a wallet. */
;(() => {
  const { createElement: h, useEffect, useState } = window.wp.element
  const { decodeEntities } = window.wp.htmlEntities
  const data = window.wc.wcSettings.getSetting('sanad_data', {})
  const title = decodeEntities(data.title ?? '')
  const wallets = data.wallets ?? []

  const Content = ({ eventRegistration, emitResponse }) => {
    const [chosen, choose] = useState(wallets[0]?.id ?? '')
    const register = eventRegistration.onPaymentSetup ?? eventRegistration.onPaymentProcessing
    useEffect(
      () =>
        register(() => {
          if (!data.isOwnPage) return { type: emitResponse.responseTypes.SUCCESS }
          if (chosen === '') return { type: emitResponse.responseTypes.ERROR, message: data.chooseWallet }
          return { type: emitResponse.responseTypes.SUCCESS, meta: { paymentMethodData: { sanad_wallet: chosen } } }
        }),
      [register, emitResponse.responseTypes.SUCCESS, emitResponse.responseTypes.ERROR, chosen],
    )
    const choices = wallets.map(({ id, name }) =>
      h(
        'label',
        { key: id, style: { display: 'block', padding: '0.25em 0' } },
        h('input', {
          type: 'radio',
          name: 'sanad_wallet',
          value: id,
          checked: id === chosen,
          onChange: () => choose(id),
        }),
        ' ',
        decodeEntities(name),
      ),
    )
    return h('div', null, h('p', null, decodeEntities(data.description ?? '')), ...choices)
  }

  window.wc.wcBlocksRegistry.registerPaymentMethod({
    name: 'sanad',
    label: h('span', null, title),
    ariaLabel: title,
    content: h(Content),
    edit: h('p', null, decodeEntities(data.description ?? '')),
    canMakePayment: () => true,
    supports: { features: data.supports ?? [] },
  })
})()
