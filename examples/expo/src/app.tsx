import { AfterglowError, afterglow } from '@afterglow/sdk'
import { useEffect, useState } from 'react'
import { AppState, Button, FlatList, SafeAreaView, Text, TextInput, View } from 'react-native'
import { choosePhoto, forgetSession, keepSession, keptSession, pushToken, texts, thisDevice } from './device'
import { bringPhoto, openChat, registerPush, type Session, type Shown, signIn } from './party'

const baseUrl = process.env.EXPO_PUBLIC_AFTERGLOW ?? 'http://127.0.0.1:3000'
type Event = { id: number; event_name: string; group_chat_id: number }

export const App = () => {
  const [session, setSession] = useState<Session>()
  const [event, setEvent] = useState<Event>()
  useEffect(() => {
    void keptSession().then(setSession)
  }, [])
  const signOut = async () => {
    await forgetSession()
    setEvent(undefined)
    setSession(undefined)
  }
  return (
    <SafeAreaView style={{ flex: 1, margin: 16 }}>
      {!session ? (
        <SignIn onSession={setSession} />
      ) : event ? (
        <Chat session={session} event={event} onBack={() => setEvent(undefined)} />
      ) : (
        <Events session={session} onEvent={setEvent} onSignOut={() => void signOut()} />
      )}
    </SafeAreaView>
  )
}

const SignIn = ({ onSession }: { onSession(session: Session): void }) => {
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  const enter = async () => {
    try {
      const session = await signIn(baseUrl, { login, password }, await thisDevice())
      await keepSession(session)
      onSession(session)
      const token = await pushToken()
      if (token) await registerPush(session, token)
    } catch (error) {
      setProblem(error instanceof AfterglowError ? error.message : 'The service cannot be reached.')
    }
  }
  return (
    <View>
      <TextInput placeholder="Username or e-mail" autoCapitalize="none" value={login} onChangeText={setLogin} />
      <TextInput placeholder="Password" secureTextEntry value={password} onChangeText={setPassword} />
      <Button title="Sign in" onPress={() => void enter()} />
      <Text>{problem}</Text>
    </View>
  )
}

const Events = (props: { session: Session; onEvent(event: Event): void; onSignOut(): void }) => {
  const { session, onEvent, onSignOut } = props
  const [events, setEvents] = useState<readonly Event[]>([])
  useEffect(() => {
    void afterglow(session)
      .events.listEvents({ page: 1, page_length: 20 })
      .then(({ data }) => setEvents(data))
      .catch((error: unknown) => {
        if (error instanceof AfterglowError && error.status === 401) onSignOut()
      })
  }, [session, onSignOut])
  return (
    <View>
      {events.map(event => (
        <Button key={event.id} title={event.event_name} onPress={() => onEvent(event)} />
      ))}
      <Button title="Sign out" onPress={onSignOut} />
    </View>
  )
}

const Chat = ({ session, event, onBack }: { session: Session; event: Event; onBack(): void }) => {
  const [chat, setChat] = useState<Awaited<ReturnType<typeof openChat>>>()
  const [{ messages, waiting }, setShown] = useState<Shown>({ messages: [], waiting: [] })
  const [words, setWords] = useState('')
  const [photo, setPhoto] = useState('')
  useEffect(() => {
    let left = false
    const opening = openChat(session, event.group_chat_id, texts, shown => !left && setShown(shown))
    void opening.then(setChat)
    return () => {
      left = true
      void opening.then(({ close }) => close())
    }
  }, [session, event])
  // Pushes go to a device that is not active, so the app says when it is.
  useEffect(() => {
    const { accounts } = afterglow(session)
    const say = (active: boolean) => void (active ? accounts.ping() : accounts.disconnect()).catch(() => {})
    say(true)
    const following = AppState.addEventListener('change', state => say(state === 'active'))
    return () => following.remove()
  }, [session])
  const bring = async () => {
    const image = await choosePhoto()
    if (!image) return
    const onProgress = (sent: number, total: number) => setPhoto(`${Math.round((100 * sent) / total)} %`)
    try {
      await bringPhoto(session, event.id, image, texts, { onProgress })
      setPhoto('The photo is in the album.')
    } catch (error) {
      setPhoto(error instanceof AfterglowError ? error.message : 'Choose it again to go on.')
    }
  }
  const say = () => {
    if (words.trim()) void chat?.say(words.trim())
    setWords('')
  }
  return (
    <View style={{ flex: 1 }}>
      <Button title="Back" onPress={onBack} />
      <FlatList
        data={messages}
        keyExtractor={({ id }) => id}
        renderItem={({ item }) => <Text>{`${item.user.user_first_name}: ${item.message_content}`}</Text>}
      />
      {waiting.map(line => (
        <View key={line.at}>
          <Text>{`${line.words} · ${line.refused ?? (line.sending ? 'sending' : 'waiting')}`}</Text>
          {line.refused && <Button title="Try again" onPress={() => void chat?.sendAgain(line.at)} />}
          {line.refused && <Button title="Discard" onPress={() => void chat?.discard(line.at)} />}
        </View>
      ))}
      <TextInput placeholder="Message" value={words} onChangeText={setWords} />
      <Button title="Send" onPress={say} />
      <Button title="Add a photo" onPress={() => void bring()} />
      <Text>{photo}</Text>
    </View>
  )
}
