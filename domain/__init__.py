"""The promises as pure logic: no clock, no database, no Discord."""
