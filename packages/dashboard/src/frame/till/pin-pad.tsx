/** The pad for a PIN: six digits by touch or by keyboard, in Latin or Arabic digits. It is sent with the sixth. */

import { Alert, Button, Text, Title } from '@mantine/core'
import { IconBackspace } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { currentTime } from '../../parts/format/clock.ts'
import { inDigits } from '../../words/digits.ts'
import { useWords } from '../../words/language.ts'
import { tillWords } from '../../words/till.ts'
import classes from './lock-screen.module.css'
import { remainingText } from './remaining.ts'

const pinLength = 6

/** A key of the keyboard as a digit from 0 to 9. */
const digitOf = (key: string): string | undefined => {
  if (/^[0-9]$/.test(key)) return key
  if (/^[٠-٩]$/.test(key)) return String(key.charCodeAt(0) - 0x0660)
  return /^[۰-۹]$/.test(key) ? String(key.charCodeAt(0) - 0x06f0) : undefined
}

type Pause = { readonly until: number; readonly of: 'cashier' | 'counter' }

export const PinPad = (props: {
  name: string
  busy: boolean
  /** The last PIN was refused with this text. */
  problem: string | undefined
  pause: Pause | undefined
  send: (pin: string) => void
  back: () => void
}) => {
  const { t, language } = useWords(tillWords)
  const { busy, pause, send, back } = props
  const [pin, setPin] = useState('')
  const [now, setNow] = useState(() => currentTime())
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const wait = pause === undefined ? undefined : remainingText(pause.until, now)
  const closed = busy || wait !== undefined
  useEffect(() => {
    if (pause === undefined) return undefined
    setNow(currentTime())
    const timer = setInterval(() => setNow(currentTime()), 500)
    return () => clearInterval(timer)
  }, [pause])

  const press = (digit: string): void => {
    if (closed) return
    const next = `${pin}${digit}`.slice(0, pinLength)
    setPin(next)
    if (next.length < pinLength) return
    send(next)
    setPin('')
  }
  const remove = (): void => setPin((typed) => typed.slice(0, -1))
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const digit = digitOf(event.key)
      if (digit !== undefined) press(digit)
      else if (event.key === 'Backspace') remove()
      else if (event.key === 'Escape') back()
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  })

  const shown = (digits: string): string => inDigits(digits, language)
  const message =
    wait === undefined
      ? props.problem
      : t(pause?.of === 'counter' ? 'till.pausedCounter' : 'till.pausedCashier', { time: shown(wait) })
  return (
    <div className={classes.pad}>
      <Title order={2} ta="center" tabIndex={-1} ref={heading} className="named" style={{ outline: 'none' }}>
        {t('till.pin', { name: props.name })}
      </Title>
      <div className={classes.dots} role="img" aria-label={t('till.digits', { n: shown(String(pin.length)) })}>
        {Array.from({ length: pinLength }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: six dots in a fixed order
          <span key={i} className={classes.dot} data-full={i < pin.length} />
        ))}
      </div>
      <div aria-live="polite" style={{ minHeight: 24 }}>
        {busy && <Text ta="center">{t('till.checking')}</Text>}
        {!busy && message !== undefined && (
          <Alert color="red">
            {message}
            {wait !== undefined && <Text size="sm">{t('till.askOwner')}</Text>}
          </Alert>
        )}
      </div>
      <div className={classes.keys}>
        {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => (
          <button key={digit} type="button" className={classes.key} disabled={closed} onClick={() => press(digit)}>
            {shown(digit)}
          </button>
        ))}
        <span />
        <button type="button" className={classes.key} disabled={closed} onClick={() => press('0')}>
          {shown('0')}
        </button>
        <button type="button" className={classes.key} aria-label={t('till.delete')} onClick={remove}>
          <IconBackspace size={26} aria-hidden />
        </button>
      </div>
      <Button variant="default" size="md" onClick={back}>
        {t('till.otherName')}
      </Button>
    </div>
  )
}
