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

type paymentVerified struct {
	IntentID   string `json:"intent_id"`
	OrderID    string `json:"order_id"`
	BaseAmount string `json:"base_amount"`
	Currency   string `json:"currency"`
}

// verifyWebhook returns the kind of the event, or an error if it is not from Sanad or older than five minutes.
func verifyWebhook(rawBody []byte, header, secret string, now time.Time) (string, error) {
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
		return "", errors.New("X-Service-Signature is missing or malformed")
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
		return "", errors.New("no signature matches")
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > tolerance || age < -tolerance {
		return "", errors.New("the signature is too old, or this clock is wrong")
	}
	// Only the kind: the other fields of a kind that is not known may be of any type.
	var got struct {
		Event string `json:"event"`
	}
	if err := json.Unmarshal(rawBody, &got); err != nil || got.Event == "" {
		return "", errors.New("the body is signed, but it is not an event")
	}
	return got.Event, nil
}

// What an order costs. In your shop: select amount from orders where id = $1, with two decimals, as Sanad writes amounts.
var amounts = map[string]string{"طلبية-1": "1500.00", "ORDER-1042": "9500.00"}

func amountOf(order string) string {
	if strings.HasPrefix(order, "TRY-") { // quick-start.ts makes orders with this name.
		return "1500.00"
	}
	return amounts[order]
}

// In your shop: update orders set paid_by = $2 where id = $1 and paid_by is null and amount = $3 and currency = $4
var (
	paidBy = map[string]string{}
	lock   sync.Mutex
)

func markPaid(got paymentVerified) {
	lock.Lock()
	defer lock.Unlock()
	order, due, before := got.OrderID, amountOf(got.OrderID), paidBy[got.OrderID]
	switch {
	case due == "" || got.IntentID == "":
		fmt.Printf("Order %s is not known: ask a user\n", order)
	case got.BaseAmount != due || got.Currency != "YER":
		fmt.Printf("Order %s is not paid: %s %s for %s YER, ask a user\n", order, got.BaseAmount, got.Currency, due)
	case before == "":
		paidBy[order] = got.IntentID
		fmt.Printf("Order %s is paid: %s\n", order, got.BaseAmount)
	case before != got.IntentID: // Otherwise it is the same payment, reported once more.
		fmt.Printf("Order %s was paid twice: %s and %s\n", order, before, got.IntentID)
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
	testMode := os.Getenv("SANAD_TEST_MODE") == "1"
	receive := func(response http.ResponseWriter, request *http.Request) {
		rawBody, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		if err != nil {
			http.Error(response, "unreadable", http.StatusBadRequest)
			return
		}
		kind, err := verifyWebhook(rawBody, request.Header.Get("X-Service-Signature"), secret, time.Now())
		if err != nil {
			log.Print(err)
			http.Error(response, "not genuine", http.StatusBadRequest)
			return
		}
		// Events of the test wallet and test sends are signed as well, but no money arrived: they count in test mode only.
		isTest := request.Header.Get("X-Service-Test") != ""
		if kind == "payment.verified" && (testMode || !isTest) {
			var got paymentVerified
			if err := json.Unmarshal(rawBody, &got); err != nil {
				log.Print(err)
				http.Error(response, "not an event", http.StatusBadRequest)
				return
			}
			markPaid(got)
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
