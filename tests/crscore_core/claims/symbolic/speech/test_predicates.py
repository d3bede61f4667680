"""What statements of every language do, in words."""

import subprocess
import sys

import pytest

from crscore_core.claims.symbolic.logical import LogicalLine
from crscore_core.claims.symbolic.recognition import recognise
from crscore_core.claims.symbolic.speech import predicate
from crscore_core.claims.symbolic.statement import Statement


def statement(text: str, language: str | None) -> Statement:
    return recognise(LogicalLine(text, (0,), (0,), 1, 0, prose=False), language)


def said(text: str, language: str | None) -> str:
    return predicate(statement(text, language), language)


PYTHON = [
    ("total = price * count + tax", "sets total to price times count plus tax"),
    ("self.names.append(user.name)", "appends the name of user to names"),
    (
        "return sorted(rows, key=lambda row: row.date)",
        "returns sorted of rows and key a function of row giving the date of row",
    ),
    ("if user is None or not user.is_active:", "checks whether user is None or user is not active"),
    (
        "elif size >= limit and name not in seen:",
        "checks whether size is at least limit and name is not in seen",
    ),
    ('raise ValueError(f"unknown mode {mode}")', "raises a value error: unknown mode mode"),
    ("assert len(rows) == 3, 'three rows'", "asserts that the length of rows is 3: three rows"),
    ("self.assertEqual(total, 5)", "asserts that total equals 5"),
    ("from .storage import Store, open_store", "imports store and open store from storage"),
    ("with open(path) as handle:", "uses open of path for the block that follows"),
    ("for name, value in options.items():", "loops over the items of options"),
    ("while queue:", "loops while queue is set"),
    ("@app.route('/home')", "has the annotation app route with /home"),
    ("except (KeyError, IOError) as error:", "catches key error or IO error"),
    ("class Cache(Base):", "defines the class cache extending base"),
    ("result = await client.fetch(url)", "sets result to the awaited fetch of client with url"),
    ("count += 1", "increases count by 1"),
    ("logger.warning('disk %s is full', disk)", "logs a warning: disk %s is full with disk"),
    ("del cache[key]", "deletes item key of cache"),
    (
        "squares = [n * n for n in numbers if n > 0]",
        "sets squares to n times n for each n in numbers where n is greater than 0",
    ),
    ("timeout = 30 if slow else 5", "sets timeout to 30 if slow is set, otherwise 5"),
    ("settings = {", "sets settings to a map"),
    ("'retries': 3,", "sets retries to 3"),
    ("# Retry once more", "has the comment Retry once more"),
    ("if not text.startswith('#'):", "checks whether text does not start with a hash"),
    (
        "async def load(self, url: str) -> bytes:",
        "defines the async method load with url, returning bytes",
    ),
    ("print('done')", "prints done"),
    ("if done: return total", "returns total if done is set"),
    ("pass", "does nothing"),
]

JAVA = [
    (
        "private static final int MAX_RETRIES = 3;",
        "declares the private static int max retries as 3",
    ),
    ("List<String> names = new ArrayList<>();", "sets names to a new array list"),
    (
        'return user != null ? user.getName() : "anonymous";',
        "returns the name of user if user is not null, otherwise anonymous",
    ),
    (
        "if (list.isEmpty() && !cache.containsKey(key)) {",
        "checks whether list is empty and cache does not have the key key",
    ),
    ("} else if (count > MAX) {", "checks whether count is greater than max"),
    (
        'throw new IllegalStateException("Queue " + name + " is full");',
        "throws an illegal state exception: Queue name is full",
    ),
    (
        "for (int i = 0; i < rows.length; i++) {",
        "loops over i from 0 while i is less than the length of rows",
    ),
    ("names.add(user.getName());", "adds the name of user to names"),
    ("user.setEmail(email);", "sets email of user to email"),
    ("import java.util.List;", "imports list from java util"),
    ("import static org.junit.Assert.*;", "imports everything from org junit assert"),
    ('@GetMapping("/users")', "has the annotation get mapping with /users"),
    ("} catch (IOException | SqlException e) {", "catches IO exception or sql exception"),
    ("public void close() throws IOException {", "defines the public method close"),
    ("assertEquals(5, total);", "asserts that total equals 5"),
    ("assertNull(user);", "asserts that user is null"),
    ('LOG.error("cannot open {}", path, e);', "logs an error: cannot open {} with path and e"),
    ("try (Reader reader = open(path)) {", "uses open of path for the block that follows"),
    ("int[] sizes = new int[10];", "sets sizes to a new int array"),
    ("retries++;", "increments retries"),
    ("return Optional.empty();", "returns an empty optional"),
    ("final Level level = Level.Kind.WARNING;", "sets level to level kind warning"),
    ("switch (mode) {", "chooses by mode"),
    ("case OPEN:", "handles the case open"),
    (
        "public interface Store extends Closeable {",
        "defines the public interface store extending closeable",
    ),
    ("package com.example.shop;", "belongs to the package com example shop"),
    ("if (this == other) return true;", "returns true if this object is other"),
]

JAVASCRIPT = [
    ("const { name, age } = props.user;", "sets name and age to the user of props"),
    ("let total = 0;", "sets total to 0"),
    (
        "if (!items || items.length === 0) {",
        "checks whether items is not set or the length of items is 0",
    ),
    ("throw new TypeError('Expected a list');", "throws a type error: Expected a list"),
    (
        "items.forEach(item => item.update());",
        "calls for each on items with a function of item giving the update of item",
    ),
    ("store.read = require('./read');", "sets the read of store to the module ./read"),
    ("module.exports = createStore;", "sets the exports of module to create store"),
    ("import React, { useState } from 'react';", "imports react and use state from react"),
    ("expect(total).toBe(3);", "expects total to be 3"),
    ("expect(name).to.equal('Ann');", "expects name to equal Ann"),
    ("console.log(`loaded ${count} rows`);", "logs loaded count rows"),
    ("for (const row of rows) {", "loops over rows"),
    ("for (const key in options) {", "loops over the keys of options"),
    ("await saveUser(user);", "awaits the call of save user with user"),
    (
        "if (typeof value === 'string') value = value.trim();",
        "sets value to value stripped of blanks if the type of value is string",
    ),
    ("export const LIMIT = 10;", "declares the exported limit as 10"),
    ("delete cache[key];", "deletes item key of cache"),
    (
        '<Button label="Save" onClick={save} />',
        "has the element button with label Save and on click save",
    ),
    ("timeout: 30,", "sets timeout to 30"),
    ("} catch (error) {", "catches any exception"),
    ("else item.done = true;", "sets the done of item to true in the other case"),
    ("it('adds numbers', () => {", "tests adds numbers"),
    ("const load = async (url) => {", "defines the async function load with url"),
]

TYPESCRIPT = [
    ("let size: number | undefined;", "declares the size of the type number or undefined"),
    ("type Id = string | number;", "defines the type id as string or number"),
    ("interface User extends Person {", "defines the interface user extending person"),
    ("const user = data as User;", "sets user to data as user"),
    (
        "return this.users.filter((u) => u.active);",
        "returns filter of users with a function of u giving the active of u",
    ),
    ("if (isReady(state)) {", "checks whether state is ready"),
]

C = [
    ("#include <stdio.h>", "includes stdio"),
    ("#define MAX_SIZE 10", "defines the macro max size 10"),
    (
        "if (!buffer || buffer->size == NULL) {",
        "checks whether buffer is not set or the size of buffer is NULL",
    ),
    (
        "static int parse(const char *text, int size) {",
        "defines the static function parse with text and size, returning int",
    ),
    ("char *copy = malloc(size + 1);", "sets copy to malloc of (size plus 1)"),
    ("flags |= READ_ONLY;", "combines flags with read only"),
    ("for (i = 0; i < count; i++) {", "loops over i from 0 while i is less than count"),
    ("goto cleanup;", "jumps to cleanup"),
    ("free(buffer);", "calls free with buffer"),
    ("unsigned int width;", "declares the unsigned int width"),
    ("return -1;", "returns -1"),
    ('printf("%d rows\\n", count);', "prints %d rows with count"),
    ("struct point origin = { .x = 1, .y = 2 };", "sets origin to a map with x 1 and y 2"),
]

CPP = [
    ("auto store = std::make_unique<Store>(path);", "sets store to make unique of path"),
    ("for (const auto& row : rows) {", "loops over rows"),
    ('throw std::runtime_error("no such file");', "throws a runtime error: no such file"),
    ('std::cout << "total " << total << std::endl;', "prints total and total"),
    (
        "auto top = std::numeric_limits<int>::max();",
        "sets top to the result of numeric limits max",
    ),
    ("names.push_back(name);", "adds name to names"),
    ("using Names = std::vector<std::string>;", "defines the type names as vector of string"),
    ("delete buffer;", "deletes buffer"),
    ("if (it != map.end()) {", "checks whether it is not the end of map"),
    ("int width = static_cast<int>(size);", "sets width to size as int"),
    ("class Store : public Base {", "defines the class store extending base"),
]

CSHARP = [
    ("private readonly ILogger _logger;", "declares the private I logger logger"),
    (
        "var user = await _users.FindAsync(id);",
        "sets user to the awaited find async of users with id",
    ),
    (
        "if (user is null || string.IsNullOrEmpty(user.Name))",
        "checks whether user is null or the name of user is null or empty",
    ),
    (
        "throw new ArgumentNullException(nameof(user));",
        "throws an argument null exception with the name of user",
    ),
    ("foreach (var item in order.Items)", "loops over the items of order"),
    ("using System.Linq;", "imports system linq"),
    (
        "using var stream = File.OpenRead(path);",
        "uses file open read path as stream until the block ends",
    ),
    ("_cache ??= new Cache();", "sets cache to a new cache unless it is set"),
    ('return $"{first} {last}";', "returns first last"),
    ("yield return item;", "yields item"),
    ("return x is not null;", "returns whether x is not null"),
]

GO = [
    ("if err != nil {", "checks whether err is not nil"),
    ("user, err := store.Find(ctx, id)", "sets user and err to find of store with ctx and id"),
    ('return nil, fmt.Errorf("no user %d", id)', "returns nil and an error: no user %d with id"),
    ("for _, row := range rows {", "loops over rows"),
    ("for i := 0; i < n; i++ {", "loops over i from 0 while i is less than n"),
    ("defer file.Close()", "calls close on file at the end"),
    ("go worker.Run(jobs)", "calls run on worker with jobs in a goroutine"),
    ("var timeout time.Duration", "declares the time duration timeout"),
    ("const limit = 10", "sets limit to 10"),
    ("results <- total", "sends total to results"),
    (
        "config := &Config{Port: 80, Host: host}",
        "sets config to a new config with port 80 and host",
    ),
    (
        "func (s *Store) Save(user User) error {",
        "defines the method save with user, returning error",
    ),
    (
        "if value, ok := cache[key]; ok {",
        "sets value and ok to item key of cache and checks whether ok is set",
    ),
    ('import "net/http"', "imports net http"),
    ("type User struct {", "defines the struct user"),
    ('panic("not reached")', "panics with not reached"),
    ('if strings.HasPrefix(path, "/") {', "checks whether path starts with a slash"),
    ("require.NoError(t, err)", "asserts that err is no error"),
]

PHP = [
    ("$this->users = $users;", "keeps users in the attribute users"),
    (
        "if (!isset($options['limit']) || empty($name)) {",
        "checks whether limit of options is not set or name is empty",
    ),
    (
        "throw new \\InvalidArgumentException('No such user');",
        "throws an invalid argument exception: No such user",
    ),
    ("foreach ($rows as $key => $row) {", "loops over rows"),
    ("return array('name' => $name, 'age' => 3);", "returns a map with name and age 3"),
    ("use App\\Models\\User;", "imports user from app models"),
    ("echo 'Total ' . $total;", "prints Total total"),
    ("$total .= $suffix;", "appends suffix to total"),
    ("$user = User::find($id);", "sets user to find of user with id"),
    ("unset($cache[$key]);", "deletes item key of cache"),
    ("namespace App\\Models;", "is in the namespace app models"),
    (
        "public function save(User $user): bool",
        "defines the public function save with user, returning bool",
    ),
    ("$double = fn($n) => $n * 2;", "sets double to a function of n giving n times 2"),
]

RUBY = [
    ("@count ||= 0", "sets count to 0 unless it is set"),
    ("return if user.nil?", "returns early if user is nil"),
    (
        'raise ArgumentError, "no such user" unless user',
        "raises an argument error: no such user unless user is set",
    ),
    ("users.each do |user|", "calls each on users with a function of user"),
    ("users << user", "adds user to users"),
    ("require 'json'", "includes json"),
    (
        "total = items.map { |item| item.price }.sum",
        "sets total to the sum of map of items with a function of item giving the price of item",
    ),
    ("unless list.empty?", "checks whether list is not empty"),
    ("config[:timeout] = 30", "sets timeout of config to 30"),
    ("user = User.new(name)", "sets user to a new user with name"),
    ("expect(total).to eq(3)", "expects total to equal 3"),
    ("rescue IOError => e", "catches IO error"),
    ("module Shop", "defines the module shop"),
    ("elsif user.admin?", "checks whether user is admin"),
    ("validates :name, presence: true", "calls validates with name and presence true"),
    ("class Cat < Animal", "defines the class cat extending animal"),
]

TOKENS = [
    (None, "val total = price + tax", "sets total to price plus tax"),
    (None, "if (ready && count > 3) {", "checks whether ready and count greater than 3"),
    (
        None,
        "SELECT name FROM users WHERE age > 3",
        "queries with select name from users where age greater than 3",
    ),
    (None, "return value;", "returns value"),
    (None, "fn main() {", "defines the function main"),
    (None, "}", ""),
    (None, "", ""),
    ("yaml", "timeout: 30", "sets timeout to 30"),
    (
        "sql",
        "SELECT name FROM users WHERE age > 3",
        "queries with select name from users where age greater than 3",
    ),
    (
        "sql",
        "ALTER TABLE users ADD COLUMN age INT",
        "queries with alter table users add column age int",
    ),
    ("xml", "<version>1.2</version>", "sets version to 1.2"),
    ("xml", '<dependency scope="test">', "has the markup dependency scope is test"),
    ("xml", "</dependency>", ""),
    ("json", '"version": "1.2.3",', "sets version to 1.2.3"),
    ("markdown", "Run the tests first.", "has the comment Run the tests first."),
    ("kotlin", "val name = user.firstName", "sets name to user first name"),
    ("kotlin", 'throw IllegalStateException("no name")', "throws illegal state exception no name"),
]


@pytest.mark.parametrize(("code", "words"), PYTHON)
def test_python(code: str, words: str) -> None:
    assert said(code, "python") == words


@pytest.mark.parametrize(("code", "words"), JAVA)
def test_java(code: str, words: str) -> None:
    assert said(code, "java") == words


@pytest.mark.parametrize(("code", "words"), JAVASCRIPT)
def test_javascript(code: str, words: str) -> None:
    assert said(code, "javascript") == words


@pytest.mark.parametrize(("code", "words"), TYPESCRIPT)
def test_typescript(code: str, words: str) -> None:
    assert said(code, "typescript") == words


@pytest.mark.parametrize(("code", "words"), C)
def test_c(code: str, words: str) -> None:
    assert said(code, "c") == words


@pytest.mark.parametrize(("code", "words"), CPP)
def test_cpp(code: str, words: str) -> None:
    assert said(code, "cpp") == words


@pytest.mark.parametrize(("code", "words"), CSHARP)
def test_csharp(code: str, words: str) -> None:
    assert said(code, "csharp") == words


@pytest.mark.parametrize(("code", "words"), GO)
def test_go(code: str, words: str) -> None:
    assert said(code, "go") == words


@pytest.mark.parametrize(("code", "words"), PHP)
def test_php(code: str, words: str) -> None:
    assert said(code, "php") == words


@pytest.mark.parametrize(("code", "words"), RUBY)
def test_ruby(code: str, words: str) -> None:
    assert said(code, "ruby") == words


@pytest.mark.parametrize(("language", "code", "words"), TOKENS)
def test_tokens_where_there_is_no_grammar(language: str | None, code: str, words: str) -> None:
    assert said(code, language) == words


@pytest.mark.parametrize(
    ("language", "code", "words"),
    [
        ("javascript", "if (a b c", "checks whether a b c"),
        ("java", "return new;;; total +", "returns total"),
        ("python", "return total total", "returns total total"),
    ],
)
def test_tokens_where_the_grammar_cannot_read_it(language: str, code: str, words: str) -> None:
    assert said(code, language) == words


def test_a_collection_that_goes_on_is_not_called_empty() -> None:
    assert said("sizes = [", "python") == "sets sizes to a list"
    assert said("sizes = []", "python") == "sets sizes to an empty list"


def test_a_function_of_a_class_is_no_question() -> None:
    assert said("return Optional.empty();", "java") == "returns an empty optional"
    assert said("return name.isEmpty();", "java") == "returns whether name is empty"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("if (!(a && b)) {", "checks whether a is not set or b is not set"),
        ("if (!(a || b < 3)) {", "checks whether a is not set and b is at least 3"),
        ("if (!(name instanceof Text)) {", "checks whether name is not an instance of text"),
        ("if (!names.includes(name)) {", "checks whether names does not include name"),
        ("if (null === user) {", "checks whether user is null"),
    ],
)
def test_a_denied_condition_means_the_reverse(code: str, words: str) -> None:
    assert said(code, "javascript") == words


def test_importing_claims_imports_no_parser() -> None:
    code = "import sys, crscore_core.claims.symbolic; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert not [m for m in loaded.stdout.split() if m.startswith("tree_sitter")]
