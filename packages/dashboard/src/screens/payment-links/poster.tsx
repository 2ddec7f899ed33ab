/** A poster for the wall: the shop, the code, three short steps. The browser prints it on A6 or A4, in Arabic or English. */
import { Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useApi } from '../../api/use-api.ts'
import { svgAddress } from '../../parts/format/qr-image.tsx'
import { BackTo } from '../../parts/page/back-to.tsx'
import { Page } from '../../parts/page/page.tsx'
import '../../parts/print/paper.css'
import { type Language, textOf } from '../../words/catalogue.ts'
import { moneyText } from '../../words/format.ts'
import { directionOf, useWords } from '../../words/language.ts'
import { checkoutsWords } from '../../words/screens/checkouts.ts'
import { useShopName } from '../checkouts/shop-name.ts'
import { linkTitle, type ShownLink } from './link.tsx'
import { LoadedLink } from './loaded-link.tsx'
import classes from './poster.module.css'
import { lastPosterStep } from './poster-steps.ts'

export const Poster = ({ id }: { id: string }) => <LoadedLink id={id}>{(link) => <Printable link={link} />}</LoadedLink>

const Printable = ({ link }: { link: ShownLink }) => {
  const { t, language: dashboardLanguage } = useWords(checkoutsWords)
  const [size, setSize] = useState('a6')
  const [language, setLanguage] = useState<Language>(dashboardLanguage)
  return (
    <Page
      title={t('links.poster')}
      actions={
        <Button data-screen-only leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
          {t('act.print')}
        </Button>
      }
    >
      <div data-screen-only>
        <BackTo href={`/payment-links/${link.id}`} name={linkTitle(link, t)} />
      </div>
      <div className={classes.controls} data-screen-only>
        <Choice
          label={t('poster.size')}
          options={[
            ['a6', t('poster.a6')],
            ['a4', t('poster.a4')],
          ]}
          value={size}
          choose={setSize}
        />
        <Choice
          label={t('poster.language')}
          options={[
            ['ar', 'العربية'],
            ['en', 'English'],
          ]}
          value={language}
          choose={(chosen) => setLanguage(chosen as Language)}
        />
        <Text c="dimmed" maw={420}>
          {t('poster.lead')}
        </Text>
      </div>
      <Sheet link={link} size={size} language={language} />
    </Page>
  )
}

const Choice = (props: {
  label: string
  options: readonly (readonly [string, string])[]
  value: string
  choose: (value: string) => void
}) => {
  const label = useId()
  return (
    <Stack gap={4}>
      <Text size="sm" id={label}>
        {props.label}
      </Text>
      <SegmentedControl
        aria-labelledby={label}
        data={props.options.map(([value, text]) => ({ value, label: text }))}
        value={props.value}
        onChange={props.choose}
      />
    </Stack>
  )
}

/** The poster itself. Its language may differ from that of the dashboard. */
const Sheet = ({ link, size, language }: { link: ShownLink; size: string; language: Language }) => {
  const shop = useShopName()
  const page = useApi('showCheckoutPage', { kinds: ['account'] })
  const logo = page.data?.logo ?? null
  const wallets = useApi('listWallets', { kinds: ['wallet'] })
  const steps = ['poster.step1', 'poster.step2', lastPosterStep(wallets.data?.results, link.wallets)] as const
  const text = (key: keyof typeof checkoutsWords.en): string => textOf(language, key)
  return (
    <div className={classes.sheet} data-paper={size} lang={language} dir={directionOf(language)}>
      <div className={classes.inside}>
        <div className={classes.shop}>
          {logo !== null && <img src={logo.url} width={logo.width} height={logo.height} alt="" />}
          <bdi>{shop}</bdi>
        </div>
        <div className={classes.head}>{text('poster.head')}</div>
        {link.description !== '' && (
          <div className={classes.for} dir="auto">
            {link.description}
          </div>
        )}
        {link.amount !== null && <b>{moneyText(link.amount, link.currency, language)}</b>}
        {link.qr_svg !== null && (
          <img className={classes.code} src={svgAddress(link.qr_svg)} alt={text('poster.picture')} />
        )}
        <ol className={classes.steps}>
          {steps.map((step, index) => (
            <li key={step}>
              <span className={classes.number}>{index + 1}</span>
              <span>{text(step)}</span>
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}
