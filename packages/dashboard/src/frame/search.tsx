/** The global search: a field in the top bar of a wide screen, a button on a narrow one. The key `/` focuses it. */
import { Kbd, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { bindText } from '../parts/form/bind.ts'
import { useWords } from '../words/language.ts'
import { isTyping } from './keys/is-typing.ts'
import { signOf } from './keys/shortcut.ts'
import classes from './shell.module.css'

export const Search = ({ narrow }: { narrow: boolean }) => {
  const { t } = useWords()
  const [location, go] = useLocation()
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // These screens have their own field.
  const isSearchScreen = location === '/search' || location === '/counter'
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (signOf(event) !== '/' || isTyping(event) || event.defaultPrevented) return
      event.preventDefault()
      if (input.current !== null) input.current.focus()
      else go('/search')
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [go])
  if (isSearchScreen) return null
  if (narrow)
    return (
      <Link href="/search" aria-label={t('frame.search')} className={classes.searchButton}>
        <IconSearch size={20} aria-hidden />
      </Link>
    )
  const find = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() === '') return
    go(`/search?q=${encodeURIComponent(text.trim())}`)
    setText('')
  }
  return (
    <search>
      <form onSubmit={find}>
        <TextInput
          ref={input}
          aria-label={t('frame.search')}
          placeholder={t('frame.searchHint')}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={<Kbd size="xs">/</Kbd>}
          w={300}
          dir="auto"
          {...bindText(text, setText)}
        />
      </form>
    </search>
  )
}
