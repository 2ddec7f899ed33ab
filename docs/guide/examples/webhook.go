// Receives webhooks with the standard library. SANAD_WEBHOOK_SECRET=... PORT=3000 go run webhook.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 5 * time.Minute

type event struct {
	Event    string `json:"event"`
	IntentID string `json:"intent_id"`
	OrderID  string `json:"order_id"`
	Amount   string `json:"amount"`
}

// verifyWebhook returns the event, or an error if it is not from Sanad or older than five minutes.
func verifyWebhook(rawBody []byte, header, secret string, now time.Time) (event, error) {
	var sentAt string
	var given []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "t":
			sentAt = value
		case "v1": // Two signatures while the secret is rotated: one of them must match.
			given = append(given, value)
		}
	}
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil {
		return event{}, errors.New("X-Service-Signature is missing or malformed")
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sentAt + "."))
	mac.Write(rawBody)
	expected := mac.Sum(nil)
	matches := false
	for _, one := range given {
		if sum, err := hex.DecodeString(one); err == nil && hmac.Equal(sum, expected) {
			matches = true
		}
	}
	if !matches {
		return event{}, errors.New("no signature matches")
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return event{}, errors.New("the signature is too old, or this clock is wrong")
	}
	var got event
	return got, json.Unmarshal(rawBody, &got)
}

// In your shop this is a column of the orders: update orders set paid_by = $2 where id = $1 and paid_by is null
var (
	paidBy = map[string]string{}
	lock   sync.Mutex
)

func markPaid(order, intent, amount string) {
	lock.Lock()
	before, known := paidBy[order]
	if !known {
		paidBy[order] = intent
	}
	lock.Unlock()
	if !known {
		fmt.Printf("Order %s is paid: %s\n", order, amount)
	} else if before != intent { // Otherwise it is the same payment, reported once more.
		fmt.Printf("Order %s was paid twice: %s and %s\n", order, before, intent)
	}
}

func main() {
	secret, port := os.Getenv("SANAD_WEBHOOK_SECRET"), os.Getenv("PORT")
	if secret == "" {
		log.Fatal("the signing secret is not set")
	}
	if port == "" {
		port = "3000"
	}
	receive := func(response http.ResponseWriter, request *http.Request) {
		rawBody, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		if err != nil {
			http.Error(response, "unreadable", http.StatusBadRequest)
			return
		}
		got, err := verifyWebhook(rawBody, request.Header.Get("X-Service-Signature"), secret, time.Now())
		if err != nil {
			log.Print(err)
			http.Error(response, "not genuine", http.StatusBadRequest)
			return
		}
		// Events of the test wallet and test sends are signed as well, but no money arrived.
		isTest := request.Header.Get("X-Service-Test") != ""
		if got.Event == "payment.verified" && !isTest {
			markPaid(got.OrderID, got.IntentID, got.Amount)
		}
		response.WriteHeader(http.StatusNoContent)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Listening")
	log.Fatal(http.Serve(listener, http.HandlerFunc(receive)))
}
